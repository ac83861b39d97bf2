# SPDX-License-Identifier: GPL-2.0
# awk -v kernel=RELEASE -f row.awk -f to-baseline.awk results.json: the rows of a kernel as a baseline.

/"kernel"/ && member("kernel") == kernel {
	print member("case"), member("path"), member("total_insns")
}
