/* SPDX-License-Identifier: GPL-2.0 */
/*
 * groctl: what its files share. Inside, functions return 0 or a negative errno; functions that say themselves what went
 * wrong return an exit code (enum exit_code) and stand in the second half.
 */
#ifndef GROCTL_H
#define GROCTL_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <linux/types.h>
#include <bpf_gro/abi.h>
#include <bpf_gro/rx_header.h>

#define MODULE_NAME	"bpf_gro"
#define OPS_TYPE	"bpf_gro_ops"
#define MLX5_DRIVER	"mlx5_core"	/* and what it calls the driver of its sub-functions begins with it */

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))
#define __printf(f, a)	__attribute__((format(printf, f, a)))

enum exit_code {
	RC_OK = 0,
	RC_FAIL = 1,
	RC_USAGE = 2,
	RC_UNSUPPORTED = 3,
};

/**
 * struct target - the module that groctl works with: bpf_gro, or bpf_rx_header for the verb headers
 * @module:	its name
 * @ops:	its struct_ops type
 * @pins:	directory of its links below bpffs
 * @catalogue:	directory of its policies below those of the catalogue, or empty
 * @open:	gets ready to ask it; returns an exit code
 * @refusals:	how many registrations it refused, and the last one in words unless @message is NULL
 */
struct target {
	const char *module;
	const char *ops;
	const char *pins;
	const char *catalogue;
	int (*open)(void);
	uint64_t (*refusals)(char *message, size_t size);
};

extern const struct target target_gro, target_headers;
extern const struct target *target;

/* cli.c: the command line, from the tables of verbs.c */

enum option_id {
	OPT_JSON,
	OPT_VERBOSE,
	OPT_NETNS,
	OPT_HELP,
	OPT_VERSION,
	OPT_DEV,
	OPT_DRIVER,
	OPT_NAME,
	OPT_SET,
	OPT_ABSENT,
	OPT_ALL,
	OPT_WATCH,
	OPT_CPU,
	OPT_MODE,
	__OPT_MAX,
};

/**
 * struct option_def - an option
 * @name:	long name
 * @letter:	short name, 0 for none
 * @arg:	what its value is called, NULL if it takes none
 * @optional:	the value may be left out
 * @complete:	kind of words that `groctl completion words` lists for it, or NULL
 * @help:	one line
 */
struct option_def {
	const char *name;
	char letter;
	const char *arg;
	bool optional;
	const char *complete;
	const char *help;
};

struct cli;

/**
 * struct verb - a verb
 * @name:	its name
 * @args:	its arguments, as usage shows them
 * @summary:	one line
 * @options:	bit mask of enum option_id, besides those that every verb has
 * @min_args:	arguments at least
 * @max_args:	arguments at most
 * @complete:	kinds of words for the first and second argument, or NULL
 * @run:	does it; returns an exit code
 */
struct verb {
	const char *name;
	const char *args;
	const char *summary;
	uint32_t options;
	int min_args;
	int max_args;
	const char *complete[2];
	int (*run)(const struct cli *cli);
};

#define OPT_EVERY_VERB	(1U << OPT_JSON | 1U << OPT_VERBOSE | 1U << OPT_NETNS | 1U << OPT_HELP | 1U << OPT_VERSION)

extern const struct option_def option_defs[__OPT_MAX];
extern const struct verb verbs[];	/* up to one without a name */

/* A command line, parsed. Values of an option stand in the order given; NULL for one without a value. */
struct cli {
	const struct verb *verb;
	const char **args;
	int nargs;
	struct {
		const char **v;
		int n;
	} opt[__OPT_MAX];
};

int cli_parse(struct cli *cli, int argc, char **argv);
void cli_free(struct cli *cli);
bool cli_has(const struct cli *cli, enum option_id id);
const char *cli_value(const struct cli *cli, enum option_id id);
void cli_usage(const struct verb *verb);
const struct verb *cli_verb(const char *name);
int cli_option_spelling(enum option_id id, char *buf, size_t size);

/* out.c: text and JSON from one place */

extern bool out_json;
extern bool out_verbose;

void out_open(const char *key);
void out_open_array(const char *key);
void out_close(void);
void out_str(const char *key, const char *fmt, const char *v);
void out_uint(const char *key, const char *fmt, uint64_t v);
void out_int(const char *key, const char *fmt, int64_t v);
void out_bool(const char *key, const char *fmt, bool v);
void out_double(const char *key, const char *fmt, double v);
void out_null(const char *key);
void out_text(const char *fmt, ...) __printf(1, 2);
void out_flush(bool pretty);
int fail(enum exit_code code, const char *fmt, ...) __printf(2, 3);
void warn(const char *fmt, ...) __printf(1, 2);
void note(const char *fmt, ...) __printf(1, 2);

/* names.c: numbers of the contract in words */

void slot_text(const struct bpf_gro_slot *slot, char *buf, size_t size);
void slots_text(const struct bpf_gro_slot *slots, char *buf, size_t size);
void out_slots(const char *key, const struct bpf_gro_slot *slots);
const char *protocol_name(unsigned int proto);
extern const char * const metadata_names[];	/* enum bpf_gro_metadata, NULL behind the last */
const char *metadata_name(unsigned int mode);
const char *reason_name(unsigned int reason);
const char *reason_text(unsigned int reason);
const char *violation_name(unsigned int violation);
const char *violation_text(unsigned int violation);

/* netns.c: network namespaces */

#define NETNS_NAME_LEN	64

uint32_t netns_inum(void);
uint64_t netns_cookie(void);
bool netns_name(uint32_t inum, char *buf, size_t size);
int netns_enter_inum(uint32_t inum);

/* device.c: network devices of the current network namespace */

struct device {
	char name[32];
	char kind[32];		/* empty for a physical device */
	int ifindex;
	int lower;		/* ifindex of the device below, 0 for none or one in another namespace */
	int master;
	bool generic_xdp;
	bool gro_off;
};

struct devices {
	struct device *v;
	int n;
};

int devices_read(struct devices *devs);
void devices_free(struct devices *devs);
const struct device *device_find(const struct devices *devs, const char *name);
bool device_warning(const struct devices *devs, const struct device *dev, char *buf, size_t size);

/* module.c: the module of the target from outside */

struct btf;

bool module_loaded(void);
bool module_has_btf(void);
int module_refcount(void);
int module_btf(struct btf **base, struct btf **btf);

/* log.c: what libbpf and the verifier say */

void log_start(void);
const char *log_text(void);
const char *errno_text(int err);
bool log_sentence(char *buf, size_t size);
const char *log_excerpt(size_t *len);

/* capability.c */

bool capable_of(const char **missing);

/* The functions from here on say what is wrong, and return an exit code. */

/* kernel.c: the status kfuncs */

struct kernel_stats {
	int cpu;		/* -1: all */
	struct bpf_gro_stats s;
};

struct kernel {
	struct bpf_gro_module_status module;
	struct bpf_gro_policy_status *policies;
	int npolicies;
	struct kernel_stats *stats;
	int nstats;
};

enum kernel_what {
	KERNEL_POLICIES,
	KERNEL_STATS,		/* and one sum of all CPUs per counter set */
	KERNEL_STATS_CPU,	/* and one per CPU */
};

struct bpf_program;

int kernel_open(void);
void kernel_close(void);
int kernel_read(struct kernel *k, enum kernel_what what);
int kernel_module(struct bpf_gro_module_status *st);
int kernel_run(const struct bpf_program *prog);
int kernel_may_ask(void);
int kernel_open_failed(int err);
uint64_t kernel_refusals(char *message, size_t size);
void kernel_free(struct kernel *k);
struct bpf_gro_policy_status *kernel_policy(const struct kernel *k, const char *name, uint32_t link_id);
int kernel_pick(const struct kernel *k, const char *name, struct bpf_gro_policy_status **found);

/* bpffs.c: pins and the lock */

struct pin {
	char name[256];
	char path[512];
	uint32_t link_id;
	uint32_t map_id;	/* 0: the link is detached */
};

struct pins {
	struct pin *v;
	int n;
};

const char *bpffs_root(void);
const char *pin_dir(void);
void pin_path(char *buf, size_t size, const char *name);
int pins_lock(bool create);
void pins_unlock(void);
int pins_read(struct pins *pins, bool everywhere);
void pins_free(struct pins *pins);
const struct pin *pins_find_link(const struct pins *pins, uint32_t link_id);
const struct pin *pins_find_name(const struct pins *pins, const char *name);

/* object.c, option.c, elf.c: a policy's object file */

struct bpf_object;
struct bpf_map;
struct btf_type;
struct elf_help;

enum option_kind {
	VALUE_INT,
	VALUE_BOOL,
	VALUE_ENUM,
	VALUE_STRING,
	VALUE_WORD,
};

/* A `const volatile` global of a policy, or a member of its struct that can be set in the same way. */
struct policy_option {
	const char *name;
	const char *help;	/* NULL: none */
	enum option_kind kind;
	const struct btf_type *type;	/* of one element */
	const char * const *words;	/* VALUE_WORD: by value, NULL behind the last */
	bool member;		/* of struct bpf_gro_ops */
	uint32_t off;		/* in .rodata, or in the struct */
	uint32_t size;		/* of one element */
	uint32_t n;		/* elements of an array, 0 for a scalar */
	bool is_signed;
	bool set;		/* given on the command line */
};

struct policy {
	char path[1024];
	char label[256];	/* how the catalogue calls it */
	char error[1280];	/* why policy_open() failed */
	struct bpf_object *obj;
	const struct btf *btf;
	struct bpf_map *map;
	const struct btf_type *ops;	/* struct bpf_gro_ops as the object knows it */
	unsigned char *data;		/* its initial value */
	struct elf_help *help;
	const char *summary;
	struct policy_option *options;
	int noptions;
	unsigned char *rodata;
};

int policy_open(struct policy *pol, const char *path, const char *label);
int program_open(struct policy *pol, const char *path, const char *label);
void policy_close(struct policy *pol);
const char *policy_name(const struct policy *pol);
int policy_set_text(struct policy *pol, const char *member, const char *text);
bool policy_member(const struct policy *pol, const char *name, uint32_t *off, uint32_t *size);
void policy_slots(const struct policy *pol, struct bpf_gro_slot *slots);
const struct btf_type *btf_base_type(const struct btf *btf, uint32_t id, bool *is_volatile);

int options_find(struct policy *pol);
int option_set(struct policy *pol, const char *assignment, char *why, size_t size);
void option_type_text(const struct policy *pol, const struct policy_option *opt, char *buf, size_t size);
void option_value_text(const struct policy *pol, const struct policy_option *opt, char *buf, size_t size);

struct elf_help *elf_help_read(const char *path);
const char *elf_help_get(const struct elf_help *help, const char *symbol);
void elf_help_free(struct elf_help *help);
char *elf_license(const char *path);

/* catalogue.c */

struct catalogue_entry {
	char name[128];
	char path[1024];
};

struct catalogue {
	struct catalogue_entry *v;
	int n;
	char *dirs;		/* searched, apart by a comma and a space */
};

int catalogue_read(struct catalogue *cat);
void catalogue_free(struct catalogue *cat);
int policy_find(struct policy *pol, const char *what);
int program_find(struct policy *pol, const char *name);

/* publish.c: from an object file into the kernel */

int policy_prepare(struct policy *pol, const struct cli *cli, const char *what);
int policy_devices(struct policy *pol, const struct cli *cli);
int device_check(const struct devices *devs, const char *name, bool absent);
int policy_load(struct policy *pol);
int policy_link(struct policy *pol, int link_fd, int *new_fd);
int need_module(void);
int need_hooked(void);

/* detach.c */

int detach_link(uint32_t link_id);
int remove_pins(const struct pins *pins, uint32_t link_id, const char *name);
void wait_for_release(void);

/* list.c */

int list_policies(const char *what);

/* headers_kernel.c: the status kfuncs of bpf_rx_header.ko */

struct headers {
	struct bpf_rx_header_module_status module;
	struct bpf_rx_header_status *policies;
	int npolicies;
	struct bpf_rx_header_device_status *devices;
	int ndevices;
};

int headers_open(void);
void headers_close(void);
int headers_read(struct headers *h);
void headers_free(struct headers *h);
uint64_t headers_refusals(char *message, size_t size);

/* headers_follow.c: programs that go with a header policy */

bool follow_has_mlx5(void);
int follow_check_mlx5(void);
int follow_mlx5(uint32_t link_id);
int follow_policy(const struct policy *pol, uint32_t link_id);
int unfollow(uint32_t link_id, bool all);

/* netns.c */

int netns_enter(const char *what);

/* show_policy.c */

void show_policy(const struct bpf_gro_policy_status *st, const struct pins *pins);
void show_pin(uint32_t link_id, const struct pins *pins);

/* The verbs. */

int verb_probe(const struct cli *cli);
int verb_list(const struct cli *cli);
int verb_check(const struct cli *cli);
int verb_attach(const struct cli *cli);
int verb_detach(const struct cli *cli);
int verb_replace(const struct cli *cli);
int verb_status(const struct cli *cli);
int verb_stats(const struct cli *cli);
int verb_headers(const struct cli *cli);
int verb_completion(const struct cli *cli);
int verb_parse(const struct cli *cli);
int stats_watch(const struct cli *cli, double seconds);

#endif /* GROCTL_H */
