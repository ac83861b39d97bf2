// SPDX-License-Identifier: GPL-2.0
/*
 * What libbpf prints is collected, so that a failure can be said in one sentence; with --verbose it goes to stderr as well.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <bpf/libbpf.h>

#include "groctl.h"

#define LOG_BEGIN	"-- BEGIN PROG LOAD LOG --\n"
#define LOG_END		"-- END PROG LOAD LOG --"
#define REPORT		"Verification failed: "	/* of newer kernels: many lines */
#define EXCERPT_LINES	12

static char *text;
static size_t text_len;

static void append(const char *s, size_t len)
{
	char *fresh = realloc(text, text_len + len + 1);

	if (!fresh)
		return;
	text = fresh;
	memcpy(text + text_len, s, len);
	text_len += len;
	text[text_len] = '\0';
}

static int collect(enum libbpf_print_level level, const char *fmt, va_list ap)
{
	char *line;
	int len;

	if (level != LIBBPF_WARN)
		return 0;
	len = vasprintf(&line, fmt, ap);
	if (len < 0)
		return 0;
	append(line, len);
	note("%s", line);
	free(line);
	return len;
}

/** log_start() - forget what was printed so far, and collect from here on */
void log_start(void)
{
	free(text);
	text = NULL;
	text_len = 0;
	libbpf_set_print(collect);
}

/** log_text() - all that libbpf printed */
const char *log_text(void)
{
	return text ?: "";
}

/* The verifier's log of the program that was refused last, or NULL. */
static const char *log_verifier(size_t *len)
{
	const char *begin = NULL, *end, *next = log_text();

	while ((next = strstr(next, LOG_BEGIN))) {
		next += strlen(LOG_BEGIN);
		begin = next;
	}
	if (!begin)
		return NULL;
	end = strstr(begin, LOG_END);
	*len = end ? (size_t)(end - begin) : strlen(begin);
	return begin;
}

/* A line of the log that shows what was verified, not what was wrong. */
static bool is_trace(const char *line)
{
	return line[strspn(line, "0123456789")] == ':' || *line == ';' || !strncmp(line, "from ", 5);
}

/*
 * What the verifier says after the last instruction that it looked at; behind it are statistics, on newer kernels also a report.
 */
static bool verifier_line(char *buf, size_t size)
{
	const char *log, *line, *end;
	size_t len, at = 0;

	log = log_verifier(&len);
	if (!log)
		return false;
	for (line = log; line < log + len; line = end + 1) {
		end = memchr(line, '\n', log + len - line) ?: log + len;
		if (!strncmp(line, "processed ", 10) || !strncmp(line, REPORT, strlen(REPORT)))
			break;
		if (is_trace(line))
			at = 0;
		else if (end > line && at < size)
			at += snprintf(buf + at, size - at, "%s%.*s", at ? "; " : "", (int)(end - line), line);
	}
	return at;
}

/* The text between quotes behind @what; false if it was not printed. */
static bool quoted_behind(const char *what, char *buf, size_t size)
{
	const char *p = strstr(log_text(), what);
	size_t len;

	if (!p)
		return false;
	p += strlen(what);
	len = strcspn(p, "'");
	snprintf(buf, size, "%.*s", (int)len, p);
	return true;
}

/* libbpf's first line without its name, for want of better. */
static bool first_line(char *buf, size_t size)
{
	const char *p = log_text();
	size_t len;

	if (!strncmp(p, "libbpf: ", 8))
		p += 8;
	len = strcspn(p, "\n");
	if (!len)
		return false;
	snprintf(buf, size, "%.*s", (int)len, p);
	return true;
}

/**
 * log_sentence() - why libbpf failed, in one sentence
 * @buf: the sentence
 * @size: its size
 *
 * Return: whether anything is known.
 */
bool log_sentence(char *buf, size_t size)
{
	char name[128], line[512];

	if (quoted_behind("extern (func ksym) '", name, sizeof(name)) && strstr(log_text(), "not found in kernel")) {
		snprintf(buf, size, "the kfunc %s is not there: " MODULE_NAME ".ko is older than the policy", name);
		return true;
	}
	if (quoted_behind("extern (func ksym) '", name, sizeof(name))) {
		snprintf(buf, size, "the kfunc %s has other arguments here than the policy was built for", name);
		return true;
	}
	if (verifier_line(line, sizeof(line))) {
		if (quoted_behind("libbpf: prog '", name, sizeof(name)))
			snprintf(buf, size, "the verifier refused program %s: %s", name, line);
		else
			snprintf(buf, size, "the verifier refused a program: %s", line);
		return true;
	}
	if (strstr(log_text(), OPS_TYPE " is not found in kernel BTF") ||
	    strstr(log_text(), "bpf_struct_ops_" OPS_TYPE " is not found in kernel BTF")) {
		snprintf(buf, size, "the kernel has no struct_ops type " OPS_TYPE ": " MODULE_NAME ".ko is not loaded properly");
		return true;
	}
	return first_line(buf, size);
}

/** errno_text() - an error number of libbpf, which has some of its own, in words */
const char *errno_text(int err)
{
	static char buf[128];

	if (libbpf_strerror(err, buf, sizeof(buf)))
		return strerror(err);
	return buf;
}

/**
 * log_excerpt() - the part of the verifier's log to show with a refusal
 * @len: its length
 *
 * Return: the verifier's own report where it writes one, else the end of the log; NULL if no program was refused.
 */
const char *log_excerpt(size_t *len)
{
	const char *log = log_verifier(len), *p;
	int lines = 0;

	if (!log)
		return NULL;
	p = memmem(log, *len, "\n" REPORT, strlen(REPORT) + 1);
	if (p)
		p++;
	else
		for (p = log + *len; p > log && lines <= EXCERPT_LINES; p--)
			lines += p[-1] == '\n';
	*len -= p - log;
	return p;
}
