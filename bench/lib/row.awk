# SPDX-License-Identifier: GPL-2.0
# Used with others by -f: members of a row, which is one JSON object on a line.

function member(name,   m) {
	m = $0
	if (!sub(".*\"" name "\":\"?", "", m))
		return ""
	sub(/[",}].*/, "", m)
	return m
}
