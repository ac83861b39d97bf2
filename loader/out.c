// SPDX-License-Identifier: GPL-2.0
/*
 * Output. A verb says each fact once, with its JSON key and its text format; NULL for a key keeps it out of JSON, NULL for a format
 * out of the text. A JSON document is one object; a failure adds "error" and "exit" to it, warnings are in "warnings".
 * In text mode data goes to stdout and messages to stderr.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <json-c/json.h>

#include "groctl.h"

bool out_json;
bool out_verbose;

static struct json_object *stack[16];
static int depth;

static struct json_object *top(void)
{
	if (!stack[0])
		stack[0] = json_object_new_object();
	return stack[depth];
}

static void put(const char *key, struct json_object *o)
{
	if (json_object_is_type(top(), json_type_array))
		json_object_array_add(top(), o);
	else
		json_object_object_add(top(), key, o);
}

static void push(const char *key, struct json_object *o)
{
	if (depth + 1 == (int)ARRAY_SIZE(stack))
		abort();
	put(key, o);
	stack[++depth] = o;
}

/* Text formats are literals of the caller, checked against the type that the function's name says. */
#pragma GCC diagnostic ignored "-Wformat-nonliteral"

/** out_open() - start an object; @key is ignored inside an array */
void out_open(const char *key)
{
	if (out_json)
		push(key, json_object_new_object());
}

/** out_open_array() - start an array */
void out_open_array(const char *key)
{
	if (out_json)
		push(key, json_object_new_array());
}

/** out_close() - end what was started last */
void out_close(void)
{
	if (out_json && depth)
		depth--;
}

void out_str(const char *key, const char *fmt, const char *v)
{
	if (!out_json && fmt)
		printf(fmt, v);
	else if (out_json && key)
		put(key, json_object_new_string(v));
}

void out_uint(const char *key, const char *fmt, uint64_t v)
{
	if (!out_json && fmt)
		printf(fmt, v);
	else if (out_json && key)
		put(key, json_object_new_uint64(v));
}

void out_int(const char *key, const char *fmt, int64_t v)
{
	if (!out_json && fmt)
		printf(fmt, v);
	else if (out_json && key)
		put(key, json_object_new_int64(v));
}

/** out_bool() - @fmt is printed as it is if @v */
void out_bool(const char *key, const char *fmt, bool v)
{
	if (!out_json && fmt && v)
		fputs(fmt, stdout);
	else if (out_json && key)
		put(key, json_object_new_boolean(v));
}

void out_double(const char *key, const char *fmt, double v)
{
	char buf[32];

	snprintf(buf, sizeof(buf), "%.3f", v);
	if (!out_json && fmt)
		printf(fmt, v);
	else if (out_json && key)
		put(key, json_object_new_double_s(v, buf));
}

void out_null(const char *key)
{
	if (out_json)
		put(key, NULL);
}

void out_text(const char *fmt, ...)
{
	va_list ap;

	if (out_json)
		return;
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
}

/**
 * out_flush() - print the JSON document and start a new one
 * @pretty: over several lines
 */
void out_flush(bool pretty)
{
	int flags = JSON_C_TO_STRING_NOSLASHESCAPE;

	if (out_json && stack[0]) {
		if (pretty)
			flags |= JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_SPACED;
		puts(json_object_to_json_string_ext((depth = 0, top()), flags));
		json_object_put(stack[0]);
		stack[0] = NULL;
	}
	fflush(stdout);
}

/**
 * fail() - say what went wrong
 * @code: exit code
 * @fmt: a sentence without the full stop
 *
 * Return: @code.
 */
int fail(enum exit_code code, const char *fmt, ...)
{
	char buf[2048];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(buf, sizeof(buf), fmt, ap);
	va_end(ap);
	if (!out_json) {
		fflush(stdout);
		fprintf(stderr, "groctl: %s\n", buf);
		return code;
	}
	top();
	json_object_object_add(stack[0], "error", json_object_new_string(buf));
	json_object_object_add(stack[0], "exit", json_object_new_int(code));
	return code;
}

/** warn() - something that the user should know, though it works */
void warn(const char *fmt, ...)
{
	struct json_object *list;
	char buf[1024];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(buf, sizeof(buf), fmt, ap);
	va_end(ap);
	if (!out_json) {
		fprintf(stderr, "groctl: warning: %s\n", buf);
		return;
	}
	top();
	if (!json_object_object_get_ex(stack[0], "warnings", &list)) {
		list = json_object_new_array();
		json_object_object_add(stack[0], "warnings", list);
	}
	json_object_array_add(list, json_object_new_string(buf));
}

/** note() - with --verbose, on stderr */
void note(const char *fmt, ...)
{
	va_list ap;

	if (!out_verbose)
		return;
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
}
