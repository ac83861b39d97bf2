// SPDX-License-Identifier: GPL-2.0
/*
 * Options: the `const volatile` globals of a policy, found and type-checked through BTF, set in .rodata before the object is loaded.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <bpf/btf.h>

#include "groctl.h"

/* What one element is; false for a type that no option can have. */
static bool element_kind(const struct policy *pol, struct policy_option *opt, const struct btf_type *t)
{
	const char *name = btf__name_by_offset(pol->btf, t->name_off);

	opt->type = t;
	if (btf_is_enum(t) || btf_is_enum64(t)) {
		opt->kind = VALUE_ENUM;
		opt->size = t->size;
		return opt->size <= 8;
	}
	if (!btf_is_int(t))
		return false;
	opt->size = t->size;
	opt->is_signed = btf_int_encoding(t) & BTF_INT_SIGNED;
	opt->kind = VALUE_INT;
	if (btf_int_encoding(t) & BTF_INT_BOOL || !strcmp(name, "_Bool") || !strcmp(name, "bool"))
		opt->kind = VALUE_BOOL;
	else if (!strcmp(name, "char") && opt->n)
		opt->kind = VALUE_STRING;
	return opt->size == 1 || opt->size == 2 || opt->size == 4 || opt->size == 8;
}

static bool describe(const struct policy *pol, const struct btf_var_secinfo *var, struct policy_option *opt)
{
	const struct btf_type *t = btf__type_by_id(pol->btf, var->type);
	bool is_volatile = false;
	char symbol[256];

	if (!btf_is_var(t) || btf_var(t)->linkage == BTF_VAR_STATIC)
		return false;
	memset(opt, 0, sizeof(*opt));
	opt->name = btf__name_by_offset(pol->btf, t->name_off);
	opt->off = var->offset;
	t = btf_base_type(pol->btf, t->type, &is_volatile);
	if (t && btf_is_array(t)) {
		opt->n = btf_array(t)->nelems;
		t = btf_base_type(pol->btf, btf_array(t)->type, &is_volatile);
		if (!opt->n)
			return false;
	}
	if (!t || !is_volatile || !element_kind(pol, opt, t))
		return false;
	snprintf(symbol, sizeof(symbol), "bpf_gro_help_%s", opt->name);
	opt->help = elf_help_get(pol->help, symbol);
	return true;
}

/* Every policy has this one, unless it was built before there was such a member. */
static void add_metadata(struct policy *pol)
{
	struct policy_option *opt = &pol->options[pol->noptions];
	int i;

	for (i = 0; i < pol->noptions; i++)
		if (!strcmp(pol->options[i].name, "metadata"))
			return;
	memset(opt, 0, sizeof(*opt));
	if (!policy_member(pol, "metadata", &opt->off, &opt->size) || opt->size != sizeof(uint32_t))
		return;
	opt->name = "metadata";
	opt->help = "what becomes of XDP metadata that differs within a flow";
	opt->kind = VALUE_WORD;
	opt->words = metadata_names;
	opt->member = true;
	pol->noptions++;
}

/**
 * options_find() - find the options of a policy
 * @pol: policy
 *
 * Return: 0 or -ENOMEM.
 */
int options_find(struct policy *pol)
{
	int id = btf__find_by_name_kind(pol->btf, ".rodata", BTF_KIND_DATASEC), i;
	const struct btf_var_secinfo *var;
	const struct btf_type *sec;
	int n = 0;

	sec = id > 0 && pol->rodata ? btf__type_by_id(pol->btf, id) : NULL;
	if (sec)
		n = btf_vlen(sec);
	pol->options = calloc(n + 1, sizeof(*pol->options));
	if (!pol->options)
		return -ENOMEM;
	var = sec ? btf_var_secinfos(sec) : NULL;
	for (i = 0; i < n; i++, var++)
		if (describe(pol, var, &pol->options[pol->noptions]))
			pol->noptions++;
	add_metadata(pol);
	return 0;
}

static unsigned char *option_at(const struct policy *pol, const struct policy_option *opt)
{
	return (opt->member ? pol->data : pol->rodata) + opt->off;
}

static uint64_t element_max(const struct policy_option *opt)
{
	return (opt->is_signed ? INT64_MAX : UINT64_MAX) >> (64 - opt->size * 8);
}

static uint64_t element_get(const struct policy *pol, const struct policy_option *opt, uint32_t i)
{
	const unsigned char *p = option_at(pol, opt) + i * opt->size;

	switch (opt->size) {
	case 1:
		return opt->is_signed ? (uint64_t)*(const int8_t *)p : *p;
	case 2:
		return opt->is_signed ? (uint64_t)*(const int16_t *)p : *(const uint16_t *)p;
	case 4:
		return opt->is_signed ? (uint64_t)*(const int32_t *)p : *(const uint32_t *)p;
	default:
		return *(const uint64_t *)p;
	}
}

static void element_set(unsigned char *p, const struct policy_option *opt, uint64_t v)
{
	switch (opt->size) {
	case 1:
		*p = v;
		break;
	case 2:
		*(uint16_t *)p = v;
		break;
	case 4:
		*(uint32_t *)p = v;
		break;
	default:
		*(uint64_t *)p = v;
	}
}

static int parse_int(const struct policy_option *opt, const char *text, uint64_t *v)
{
	bool minus = *text == '-', hex = !strncmp(text + minus, "0x", 2);
	const char *digits = text + minus + 2 * hex;
	uint64_t max = element_max(opt);

	if (!*digits || digits[strspn(digits, hex ? "0123456789abcdefABCDEF" : "0123456789")])
		return -EINVAL;
	if (minus)
		max = opt->is_signed ? max + 1 : 0;
	errno = 0;
	*v = strtoull(digits, NULL, hex ? 16 : 10);
	if (errno || *v > max)
		return -ERANGE;
	if (minus)
		*v = -*v;
	return 0;
}

static int parse_bool(const char *text, uint64_t *v)
{
	static const char * const words[] = { "off", "on", "false", "true", "no", "yes", "0", "1" };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(words); i++) {
		if (!strcmp(text, words[i])) {
			*v = i & 1;
			return 0;
		}
	}
	return -EINVAL;
}

/* Enumerators of both widths, one after the other; NULL past the last. */
static const char *enumerator(const struct policy *pol, const struct policy_option *opt, int i, uint64_t *v)
{
	const struct btf_type *t = opt->type;

	if (i >= btf_vlen(t))
		return NULL;
	if (btf_is_enum(t)) {
		*v = (uint64_t)(int64_t)btf_enum(t)[i].val;
		return btf__name_by_offset(pol->btf, btf_enum(t)[i].name_off);
	}
	*v = btf_enum64_value(&btf_enum64(t)[i]);
	return btf__name_by_offset(pol->btf, btf_enum64(t)[i].name_off);
}

static int parse_element(const struct policy *pol, const struct policy_option *opt, const char *text, uint64_t *v)
{
	const char *name;
	int i;

	if (opt->kind == VALUE_BOOL)
		return parse_bool(text, v);
	if (opt->kind == VALUE_INT)
		return parse_int(opt, text, v);
	for (i = 0; opt->kind == VALUE_WORD && opt->words[i]; i++) {
		if (!strcmp(opt->words[i], text)) {
			*v = i;
			return 0;
		}
	}
	if (opt->kind == VALUE_WORD)
		return -EINVAL;
	for (i = 0; (name = enumerator(pol, opt, i, v)); i++)
		if (!strcmp(name, text))
			return 0;
	return -EINVAL;
}

/* All elements of a list into @to. */
static int parse_list(const struct policy *pol, const struct policy_option *opt, char *text, unsigned char *to,
		      const char **bad)
{
	uint32_t n = 0;
	char *word;
	uint64_t v;
	int err;

	while ((word = strsep(&text, ","))) {
		*bad = word;
		if (!*word && !n && !text)
			return 0;	/* an empty list */
		if (n == opt->n)
			return -E2BIG;
		err = parse_element(pol, opt, word, &v);
		if (err)
			return err;
		element_set(to + n++ * opt->size, opt, v);
	}
	return 0;
}

static int set_value(struct policy *pol, const struct policy_option *opt, const char *value, const char **bad,
		     char *copy)
{
	unsigned char *to = option_at(pol, opt), *fresh;
	size_t size = (size_t)opt->size * (opt->n ?: 1);
	uint64_t v;
	int err;

	*bad = value;
	if (opt->kind == VALUE_STRING && strlen(value) >= size)
		return -E2BIG;
	fresh = calloc(1, size);
	if (!fresh)
		return -ENOMEM;
	if (opt->kind == VALUE_STRING) {
		memcpy(fresh, value, strlen(value));
		err = 0;
	} else if (opt->n) {
		err = parse_list(pol, opt, copy, fresh, bad);
	} else {
		err = parse_element(pol, opt, value, &v);
		if (!err)
			element_set(fresh, opt, v);
	}
	if (!err)
		memcpy(to, fresh, size);
	free(fresh);
	return err;
}

static void unknown_option(const struct policy *pol, const char *key, int len, char *why, size_t size)
{
	char type[128];
	int at, i;

	if (!pol->noptions) {
		snprintf(why, size, "policy %s has no option %.*s: it has no options", pol->label, len, key);
		return;
	}
	at = snprintf(why, size, "policy %s has no option %.*s; there are:", pol->label, len, key);
	for (i = 0; i < pol->noptions && at < (int)size; i++) {
		const struct policy_option *opt = &pol->options[i];

		option_type_text(pol, opt, type, sizeof(type));
		at += snprintf(why + at, size - at, "\n  %s=%s%s%s", opt->name, type, opt->help ? "  " : "",
			       opt->help ?: "");
	}
}

/**
 * option_set() - set an option
 * @pol: policy, not loaded yet
 * @assignment: KEY=VALUE
 * @why: what is wrong
 * @size: its size
 *
 * Return: 0, or a negative errno and a reason.
 */
int option_set(struct policy *pol, const char *assignment, char *why, size_t size)
{
	size_t len = strcspn(assignment, "=");
	struct policy_option *opt = NULL;
	const char *bad;
	char type[256];
	char *copy;
	int err, i;

	if (!assignment[len] || !len) {
		snprintf(why, size, "'%s': an option is KEY=VALUE", assignment);
		return -EINVAL;
	}
	for (i = 0; i < pol->noptions; i++)
		if (strlen(pol->options[i].name) == len && !strncmp(pol->options[i].name, assignment, len))
			opt = &pol->options[i];
	if (!opt) {
		unknown_option(pol, assignment, len, why, size);
		return -ENOENT;
	}
	if (opt->set) {
		snprintf(why, size, "option %s is given twice%s", opt->name,
			 opt->n && opt->kind != VALUE_STRING ? ": give the whole list at once, apart by commas" : "");
		return -EEXIST;
	}
	copy = strdup(assignment + len + 1);
	if (!copy)
		return -ENOMEM;
	err = set_value(pol, opt, assignment + len + 1, &bad, copy);
	option_type_text(pol, opt, type, sizeof(type));
	if (err == -E2BIG && opt->kind != VALUE_STRING)
		snprintf(why, size, "option %s takes at most %u values", opt->name, opt->n);
	else if (err == -ERANGE)
		snprintf(why, size, "option %s: %s is out of range; it takes %s", opt->name, bad, type);
	else if (err)
		snprintf(why, size, "option %s cannot be '%s'; it takes %s", opt->name, bad, type);
	opt->set = !err;
	free(copy);
	return err;
}

/**
 * option_type_text() - what an option takes, in words
 * @pol: policy
 * @opt: option
 * @buf: such as "0..65535, up to 16, apart by commas"
 * @size: its size
 */
void option_type_text(const struct policy *pol, const struct policy_option *opt, char *buf, size_t size)
{
	const char *name;
	uint64_t v;
	int at = 0, i;

	buf[0] = '\0';
	switch (opt->kind) {
	case VALUE_BOOL:
		at = snprintf(buf, size, "on|off");
		break;
	case VALUE_STRING:
		snprintf(buf, size, "text of up to %u characters", opt->n - 1);
		return;
	case VALUE_ENUM:
		for (i = 0; (name = enumerator(pol, opt, i, &v)) && at < (int)size; i++)
			at += snprintf(buf + at, size - at, "%s%s", i ? "|" : "", name);
		break;
	case VALUE_WORD:
		for (i = 0; opt->words[i] && at < (int)size; i++)
			at += snprintf(buf + at, size - at, "%s%s", i ? "|" : "", opt->words[i]);
		break;
	case VALUE_INT:
		if (opt->is_signed)
			at = snprintf(buf, size, "%" PRId64 "..%" PRIu64, -(int64_t)element_max(opt) - 1,
				      element_max(opt));
		else
			at = snprintf(buf, size, "0..%" PRIu64, element_max(opt));
		break;
	}
	if (opt->n && at < (int)size)
		snprintf(buf + at, size - at, ",... (up to %u)", opt->n);
}

static int element_text(const struct policy *pol, const struct policy_option *opt, uint64_t v, char *buf, size_t size)
{
	const char *name;
	uint64_t e;
	int i;

	if (opt->kind == VALUE_BOOL)
		return snprintf(buf, size, "%s", v ? "on" : "off");
	for (i = 0; opt->kind == VALUE_WORD && opt->words[i]; i++)
		if ((uint64_t)i == v)
			return snprintf(buf, size, "%s", opt->words[i]);
	for (i = 0; opt->kind == VALUE_ENUM && (name = enumerator(pol, opt, i, &e)); i++)
		if ((uint32_t)e == (uint32_t)v && (opt->size < 8 || e == v))
			return snprintf(buf, size, "%s", name);
	return opt->is_signed ? snprintf(buf, size, "%" PRId64, (int64_t)v) : snprintf(buf, size, "%" PRIu64, v);
}

/**
 * option_value_text() - the value that an option has now
 * @pol: policy
 * @opt: option
 * @buf: the value as -o takes it; zeros at the end of a list are left out
 * @size: its size
 */
void option_value_text(const struct policy *pol, const struct policy_option *opt, char *buf, size_t size)
{
	uint32_t n = opt->n, i;
	int at = 0;

	buf[0] = '\0';
	if (opt->kind == VALUE_STRING) {
		snprintf(buf, size, "%.*s", (int)opt->n, (const char *)option_at(pol, opt));
		return;
	}
	if (!n) {
		element_text(pol, opt, element_get(pol, opt, 0), buf, size);
		return;
	}
	while (n && !element_get(pol, opt, n - 1))
		n--;
	for (i = 0; i < n && at + 1 < (int)size; i++) {
		if (i)
			buf[at++] = ',';
		at += element_text(pol, opt, element_get(pol, opt, i), buf + at, size - at);
	}
}
