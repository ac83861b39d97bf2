# SPDX-License-Identifier: GPL-2.0
# awk -f row.awk -f html.awk results.json: tables in HTML. -v what= chooses: all (each case and path, by kernel), or section with -v cases=GLOBS -v
# column=receive|complete|total.

function escape(s) {
	gsub(/&/, "\\&amp;", s)
	gsub(/</, "\\&lt;", s)
	return s
}

BEGIN {
	wanted = what == "section" ? regex(cases) : "."
	if (!column)
		column = "total"
}

/"kernel"/ {
	c = member("case")
	if (c !~ wanted)
		next
	k = member("kernel")
	p = member("path")
	if (!(k in kernel_seen)) {
		kernel_seen[k]
		kernels[++nk] = k
	}
	if (!(c in case_seen)) {
		case_seen[c]
		names[++nc] = c
	}
	if (!(p in path_seen)) {
		path_seen[p]
		paths[++np] = p
	}
	value[k, c, p] = member(column "_insns")
	xdp[k, c, p] = member("xdp_insns")
	seg[k, c, p] = member("segments_per_aggregate")
}

function cell(k, c, p,   v, n, class, title) {
	v = value[k, c, p]
	if (v == "")
		return "<td></td>"
	n = value[k, c, "native"]
	title = seg[k, c, p] " segments per packet that comes up"
	if (xdp[k, c, p] != "")
		title = title "; XDP program " xdp[k, c, p]
	if (p == "native" || p == "off" || !(n > 0))
		return sprintf("<td title=\"%s\">%.1f</td>", title, v)
	class = v / n < 0.995 ? "less" : v / n > 1.055 ? "more" : ""
	return sprintf("<td class=\"%s\" title=\"%s\">%.1f<br><small>%.3f x</small></td>", class, title, v, v / n)
}

END {
	for (i = 1; i <= nk; i++) {
		k = kernels[i]
		printf "<h3>%s</h3>\n<table><tr><th>case</th>", escape(k)
		for (j = 1; j <= np; j++)
			printf "<th>%s</th>", escape(paths[j])
		print "</tr>"
		for (m = 1; m <= nc; m++) {
			printf "<tr><td class=\"name\">%s</td>", escape(names[m])
			for (j = 1; j <= np; j++)
				printf "%s", cell(k, names[m], paths[j])
			print "</tr>"
		}
		print "</table>"
	}
}
