# SPDX-License-Identifier: GPL-2.0
# Used with others by -f: members of a row, which is one JSON object on a line, and globs.

function member(name,   m) {
	m = $0
	if (!sub(".*\"" name "\":\"?", "", m))
		return ""
	sub(/[",}].*/, "", m)
	return m
}

# Globs apart by commas as a regular expression.
function regex(globs) {
	gsub(/[.+]/, "\\\\&", globs)
	gsub(/\*/, ".*", globs)
	gsub(/\?/, ".", globs)
	gsub(/,/, "|", globs)
	return "^(" globs ")$"
}
