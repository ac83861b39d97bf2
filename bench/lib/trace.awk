# SPDX-License-Identifier: GPL-2.0
# awk -f trace.awk SYMBOLS TRACE: how often each instruction ran in the last repetition, a line each: ADDRESS PHASE TIMES.
#
# SYMBOLS: "ADDRESS NAME [MODULE]"; TRACE: QEMU's log of items exec and nochain with one instruction per block. The rig's own functions
# say where a phase begins: its loop around napi_gro_receive, and the end of its poll. It ends when the caller goes on.

function digit(c)
{
	return index("0123456789abcdef", c) - 1
}

# A hexadecimal number of fixed width plus a small one; no awk counts to 2^64.
function add(hex, n,   i, sum, out)
{
	for (i = length(hex); i > 0; i--) {
		sum = digit(substr(hex, i, 1)) + n
		n = int(sum / 16)
		out = substr("0123456789abcdef", sum % 16 + 1, 1) out
	}
	return out
}

function enter(phase,   i)
{
	now = phase
	delete back
	# the call itself is 2 to 7 bytes long
	for (i = 2; i <= 7; i++)
		back[add(last, i)]
}

BEGIN {
	FS = "[ /]"
}

FNR == NR {
	if ($2 == "rig_loop_receive" || $2 == "rig_loop_frags")
		loop[$1]
	else if ($2 == "rig_poll_end")
		end = $1
	next
}

/^Trace/ {
	pc = $5
	if (!now) {
		if (pc in loop) {
			delete times
			enter("receive")
			seen = 1
		} else if (pc == end && seen) {
			enter("complete")
			seen = 0
		}
	} else if (pc in back) {
		now = ""
	}
	if (now)
		times[now " " pc]++
	last = pc
	next
}

# The block before was not run after all: an interrupt or the end of a slice of time came first.
/^Stopped execution/ && now {
	times[now " " last]--
}

END {
	for (key in times) {
		split(key, part, " ")
		print part[2], part[1], times[key]
	}
}
