// SPDX-License-Identifier: GPL-2.0
/*
 * What libbpf does not tell of a policy's object file: its license, and its help section with strings named bpf_gro_summary and bpf_gro_help_OPTION. libbpf skips the section, so they
 * cost nothing in the kernel; here they are found through the symbol table.
 */
#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "groctl.h"

#define HELP_SECTION	".bpf_gro.help"

struct elf_help {
	int n;
	struct {
		char *symbol;
		char *text;
	} *v;
};

static Elf_Scn *find_section(Elf *elf, const char *name, GElf_Word type, GElf_Shdr *hdr)
{
	Elf_Scn *scn = NULL;
	size_t strndx;
	const char *s;

	if (elf_getshdrstrndx(elf, &strndx))
		return NULL;
	while ((scn = elf_nextscn(elf, scn))) {
		if (!gelf_getshdr(scn, hdr))
			continue;
		s = elf_strptr(elf, strndx, hdr->sh_name);
		if (name ? s && !strcmp(s, name) : hdr->sh_type == type)
			return scn;
	}
	return NULL;
}

static void add_symbol(struct elf_help *help, const char *name, const Elf_Data *text, const GElf_Sym *sym)
{
	void *v;

	if (!name || sym->st_value >= text->d_size || sym->st_size > text->d_size - sym->st_value)
		return;
	v = realloc(help->v, (help->n + 1) * sizeof(*help->v));
	if (!v)
		return;
	help->v = v;
	help->v[help->n].symbol = strdup(name);
	help->v[help->n].text = strndup((const char *)text->d_buf + sym->st_value, sym->st_size);
	help->n++;
}

static void read_elf(struct elf_help *help, Elf *elf)
{
	Elf_Scn *text_scn, *sym_scn;
	Elf_Data *text, *syms;
	GElf_Shdr hdr;
	GElf_Sym sym;
	size_t i;

	text_scn = find_section(elf, HELP_SECTION, SHT_NULL, &hdr);
	sym_scn = find_section(elf, NULL, SHT_SYMTAB, &hdr);
	if (!text_scn || !sym_scn || !hdr.sh_entsize)
		return;
	text = elf_getdata(text_scn, NULL);
	syms = elf_getdata(sym_scn, NULL);
	if (!text || !text->d_buf || !syms)
		return;
	for (i = 0; i < hdr.sh_size / hdr.sh_entsize; i++) {
		if (!gelf_getsym(syms, i, &sym) || sym.st_shndx != elf_ndxscn(text_scn))
			continue;
		add_symbol(help, elf_strptr(elf, hdr.sh_link, sym.st_name), text, &sym);
	}
}

/* NULL for what is no ELF file; else end with elf_end() and close(). */
static Elf *elf_open(const char *path, int *fd)
{
	Elf *elf;

	if (elf_version(EV_CURRENT) == EV_NONE)
		return NULL;
	*fd = open(path, O_RDONLY | O_CLOEXEC);
	if (*fd < 0)
		return NULL;
	elf = elf_begin(*fd, ELF_C_READ, NULL);
	if (!elf)
		close(*fd);
	return elf;
}

/**
 * elf_help_read() - read the help strings of an object file
 * @path: the file
 *
 * Return: the strings, none if there are none or on any error: help is never a reason to fail. NULL without memory.
 */
struct elf_help *elf_help_read(const char *path)
{
	struct elf_help *help = calloc(1, sizeof(*help));
	Elf *elf;
	int fd;

	elf = help ? elf_open(path, &fd) : NULL;
	if (!elf)
		return help;
	read_elf(help, elf);
	elf_end(elf);
	close(fd);
	return help;
}

/** elf_help_get() - the string of that name, or NULL */
const char *elf_help_get(const struct elf_help *help, const char *symbol)
{
	int i;

	for (i = 0; help && i < help->n; i++)
		if (help->v[i].symbol && !strcmp(help->v[i].symbol, symbol))
			return help->v[i].text;
	return NULL;
}

void elf_help_free(struct elf_help *help)
{
	int i;

	for (i = 0; help && i < help->n; i++) {
		free(help->v[i].symbol);
		free(help->v[i].text);
	}
	if (help)
		free(help->v);
	free(help);
}

/**
 * elf_license() - the license that an object file names
 * @path: the file
 *
 * Return: its text, to be freed; NULL if there is none.
 */
char *elf_license(const char *path)
{
	char *license = NULL;
	Elf_Data *data;
	GElf_Shdr hdr;
	Elf_Scn *scn;
	Elf *elf;
	int fd;

	elf = elf_open(path, &fd);
	if (!elf)
		return NULL;
	scn = find_section(elf, "license", SHT_NULL, &hdr);
	data = scn ? elf_getdata(scn, NULL) : NULL;
	if (data && data->d_buf)
		license = strndup(data->d_buf, data->d_size);
	elf_end(elf);
	close(fd);
	return license;
}
