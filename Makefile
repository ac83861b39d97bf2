# SPDX-License-Identifier: GPL-2.0
# bpf-gro. `make help` lists the targets.
#
# Naming, driven by wildcards; a new file needs no edit here:
#	bpf/NAME.bpf.c			a policy		build/bpf/NAME.bpf.o
#	    xdp_NAME.bpf.c		an XDP program of groctl
#	loader/NAME.c			part of groctl		build/groctl
#	loader/NAME.bpf.c		its BPF side		build/skel/NAME.skel.h
#	loader/NAME.SECTION.rst, docs/NAME.SECTION.rst		build/man/NAME.SECTION
#	bpf/headers/NAME.bpf.c		a header-length policy	build/bpf/headers/NAME.bpf.o
#	kfunc_mod/			the modules		build/RELEASE/bpf_gro.ko, bpf_rx_header.ko
#	bench/rig/kmod, bench/rig/user	the rig			build/RELEASE/bpf_gro_rig.ko, build/rig
#	tests/progs/NAME.bpf.c		a program for tests	build/tests/progs/NAME.bpf.o
#	    NAME_fail__REASON.bpf.c	one that must be refused
#	    NAME_eject__REASON.bpf.c	one that must be taken off its slot
#	tests/rig/NAME.c		a test on the rig	build/NAME
#	tests/tools/NAME.c		a program for tests	build/tests/NAME
#	bench/NAME.bpf.c		a program for measuring	build/bench/NAME.bpf.o
# Kernel rules stand in Kbuild files. Everything made lands in build/.

# `make test SHELL=1` asks for a shell in the VM; make itself needs its own SHELL.
ifeq ($(SHELL),1)
  want_shell := 1
endif
override SHELL := /bin/bash
.DELETE_ON_ERROR:
.SECONDARY:
MAKEFLAGS += --no-print-directory

Q		:= $(if $(V),,@)
say		= $(if $(V),:,printf '  %-8s %s\n' $(1) $(2))
VERSION		:= $(shell cat VERSION)
B		:= build

# What may be given on the command line.
KDIR		?= /lib/modules/$(shell uname -r)/build
KREL		?= $(shell cat $(KDIR)/include/config/kernel.release 2>/dev/null || uname -r)
CC		?= gcc
CFLAGS		?= -O2 -g
CLANG		?= clang
BPFTOOL		?= $(firstword $(wildcard /usr/sbin/bpftool) bpftool)
RST2MAN		?= rst2man
PKG_CONFIG	?= pkg-config
DESTDIR		?=
PREFIX		?= /usr/local
SBINDIR		?= $(PREFIX)/sbin
LIBDIR		?= $(PREFIX)/lib
INCLUDEDIR	?= $(PREFIX)/include
DATADIR		?= $(PREFIX)/share
MANDIR		?= $(DATADIR)/man
UNITDIR		?= $(LIBDIR)/systemd/system
MODDIR		?= /lib/modules/$(KREL)/updates
DKMSDIR		?= /usr/src/bpf-gro-$(VERSION)

policies	:= $(patsubst bpf/%.bpf.c,$(B)/bpf/%.bpf.o,$(wildcard bpf/*.bpf.c))
headers		:= $(patsubst bpf/headers/%.bpf.c,$(B)/bpf/headers/%.bpf.o,$(wildcard bpf/headers/*.bpf.c))
test_progs	:= $(patsubst tests/progs/%.bpf.c,$(B)/tests/progs/%.bpf.o,$(wildcard tests/progs/*.bpf.c))
bench_progs	:= $(patsubst bench/%.bpf.c,$(B)/bench/%.bpf.o,$(wildcard bench/*.bpf.c))
test_tools	:= $(patsubst tests/tools/%.c,$(B)/tests/%,$(wildcard tests/tools/*.c))
skeletons	:= $(patsubst loader/%.bpf.c,$(B)/skel/%.skel.h,$(wildcard loader/*.bpf.c))
groctl_o	:= $(patsubst loader/%.c,$(B)/loader/%.o,$(filter-out %.bpf.c,$(wildcard loader/*.c)))
groctl		:= $(if $(groctl_o),$(B)/groctl)
rig		:= $(if $(wildcard bench/rig/user/Makefile),rig)
modules		:= $(if $(wildcard kfunc_mod/Kbuild),$(B)/$(KREL)/bpf_gro.ko $(B)/$(KREL)/bpf_rx_header.ko) \
		   $(if $(wildcard bench/rig/kmod/Kbuild),$(B)/$(KREL)/bpf_gro_rig.ko)
man_rst		:= $(wildcard loader/*.[1-8].rst docs/*.[1-8].rst docs/man/*.[1-8].rst)
man		:= $(if $(shell command -v $(RST2MAN)),$(addprefix $(B)/man/,$(notdir $(man_rst:.rst=))))

.PHONY: all
all: modules bpf tools man	## everything for the running kernel, or for that of KDIR=
.DEFAULT_GOAL := all

.PHONY: modules bpf tools rig man test-progs test-tools
modules: $(modules)		## only the kernel modules
bpf: $(policies) $(headers)	## only the policies
tools: $(groctl) $(rig)		## only groctl and the rig's tool
man: $(man)
test-progs: $(test_progs) $(bench_progs)
test-tools: $(B)/tests/gro $(B)/bpftool $(test_tools)	# from the kernel's own source, in the VM's root

# ---- dependencies: looked at once per list of what is needed, a missing one is named ----
$(B)/.deps-%: scripts/deps
	$(Q)mkdir -p $(B)
	$(Q)KDIR=$(KDIR) KREL=$(KREL) CC="$(CC)" CLANG="$(CLANG)" BPFTOOL="$(BPFTOOL)" PKG_CONFIG="$(PKG_CONFIG)" scripts/deps $*
	$(Q)touch $@

# ---- kernel modules: out of tree, in a copy per kernel (6.12's kbuild knows no other way) ----
.PHONY: FORCE
FORCE:
# The recipe compares for itself and leaves an unchanged module alone.
$(B)/$(KREL)/bpf_gro.ko: FORCE | $(B)/.deps-module-$(KREL)
	$(Q)V=$(V) STRICT=$(STRICT) scripts/kmod $(KDIR) $(KREL) kfunc_mod bpf/include

# made with it
$(B)/$(KREL)/bpf_rx_header.ko: $(B)/$(KREL)/bpf_gro.ko ;

$(B)/$(KREL)/bpf_gro_rig.ko: FORCE | $(B)/.deps-module-$(KREL)
	$(Q)V=$(V) STRICT=$(STRICT) scripts/kmod $(KDIR) $(KREL) bench/rig/kmod bench/rig/include

# ---- BPF: CO-RE, one object for all kernels ----
BPF_CFLAGS := -g -O2 -target bpf -mcpu=v3 -std=gnu11 -D__TARGET_ARCH_$(patsubst x86_64,x86,$(shell uname -m)) \
	-Wall -Wno-missing-declarations -Wno-compare-distinct-pointer-types \
	-Ibpf/include -I$(B) -MMD -MP

$(B)/vmlinux.h: FORCE | $(B)/.deps-bpf
	$(Q)V=$(V) BPFTOOL="$(BPFTOOL)" scripts/vmlinux-h $@ $(VMLINUX_BTF) $(KDIR)/vmlinux /sys/kernel/btf/vmlinux

define bpf_object
$$(B)/$(1)/%.bpf.o: $(2)/%.bpf.c $$(B)/vmlinux.h
	$$(Q)mkdir -p $$(@D)
	$$(Q)$$(call say,BPF,$$@)
	$$(Q)$$(CLANG) $$(BPF_CFLAGS) -I$(2) -c -o $$@ $$<
endef
$(eval $(call bpf_object,bpf,bpf))
$(eval $(call bpf_object,loader,loader))
$(eval $(call bpf_object,tests/progs,tests/progs))
$(eval $(call bpf_object,bench,bench))

$(B)/skel/%.skel.h: $(B)/loader/%.bpf.o
	$(Q)mkdir -p $(@D)
	$(Q)$(call say,SKEL,$@)
	$(Q)$(BPFTOOL) gen skeleton $< name $* >$@

# ---- groctl ----
TOOL_CFLAGS := -std=gnu11 -Wall -Wextra -Wno-unused-parameter -D_GNU_SOURCE -DBPF_GRO_VERSION='"$(VERSION)"' \
	-DBPF_GRO_LIBDIR='"$(LIBDIR)/bpf-gro"' -Iloader -Ibpf/include -I$(B)/skel -MMD -MP

$(B)/loader/%.o: loader/%.c $(skeletons) $(B)/.tool-flags | $(B)/.deps-tools
	$(Q)mkdir -p $(@D)
	$(Q)$(call say,CC,$@)
	$(Q)$(CC) $(CFLAGS) $(TOOL_CFLAGS) -c -o $@ $<

$(B)/groctl: $(groctl_o)
	$(Q)$(call say,LINK,$@)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ -lbpf -ljson-c -lelf -lz

# Other flags, another PREFIX for one, compile again.
$(B)/.tool-flags: FORCE
	$(Q)mkdir -p $(B)
	$(Q)echo '$(subst ','\'',$(CC) $(CFLAGS) $(TOOL_CFLAGS))' | cmp -s - $@ || echo '$(subst ','\'',$(CC) $(CFLAGS) $(TOOL_CFLAGS))' >$@

# ---- the rig's library and tool, and the tests on it ----
rig: | $(B)/.deps-tools
	$(Q)$(MAKE) -C bench/rig/user OUT=$(CURDIR)/$(B) CC="$(CC)" V=$(V)

# ---- the kernel tree's GRO suite, and its bpftool with our fix: the stock one crashes while it prints ----
KSRC		?= /usr/src/linux-source
patches		:= $(wildcard tests/bpftool/*.patch)
$(B)/bpftool: $(patches) scripts/bpftool
	$(Q)$(call say,BPFTOOL,$@)
	$(Q)V=$(V) scripts/bpftool $(KSRC) $(B) $(patches)

$(B)/tests/gro: $(KSRC)/tools/testing/selftests/net/lib/gro.c
	$(Q)mkdir -p $(@D)
	$(Q)$(call say,CC,$@)
	$(Q)$(CC) -O2 -w -I$(KSRC)/tools/testing/selftests -o $@ $<
	$(Q)basename $$(realpath $(KSRC)) | sed 's/.*-//' >$@.version

$(test_tools): $(B)/tests/%: tests/tools/%.c
	$(Q)mkdir -p $(@D)
	$(Q)$(call say,CC,$@)
	$(Q)$(CC) $(CFLAGS) -std=gnu11 -Wall -Wextra -o $@ $< -lbpf -lelf -lz

# ---- man pages ----
vpath %.rst loader docs docs/man
$(B)/man/%: %.rst
	$(Q)mkdir -p $(@D)
	$(Q)$(call say,MAN,$@)
	$(Q)$(RST2MAN) $< $@

-include $(wildcard $(B)/bpf/*.d $(B)/bpf/headers/*.d $(B)/loader/*.d $(B)/tests/progs/*.d $(B)/bench/*.d)

# ---- in VMs ----
.PHONY: demo test conformance bench shell
demo:		## native GRO and the TCP policy side by side, in a VM
	$(Q)tests/vm/build newest
	$(Q)tests/vm/boot -t 600 demo/guest

test:		## all tests on both kernels; KERNEL=6.12 and T=name choose some, SHELL=1 gives a shell
	$(Q)$(if $(want_shell),SHELL=1 tests/vm/boot,KERNEL=$(KERNEL) T='$(T)' tests/run)

conformance:	## the kernel's GRO suite natively and with the TCP policy; KERNEL= chooses one
	$(Q)KERNEL=$(KERNEL) T=conformance tests/run

bench:		## instructions per packet of all cases and paths, by icount; PROFILE=CASE,PATH by function, E2E=1 on sockets
	$(Q)$(if $(PROFILE),bench/profile $(or $(KERNEL),newest) $(PROFILE),$(if $(E2E),bench/e2e $(KERNEL),bench/run $(KERNEL)))

shell:		## a shell in the VM; KERNEL= chooses its kernel
	$(Q)tests/vm/build $(or $(KERNEL),newest)
	$(Q)SHELL=1 KERNEL=$(or $(KERNEL),newest) tests/vm/boot

# ---- install ----
.PHONY: install install-modules install-tools dkms uninstall
install: install-modules install-tools	## modules, policies, groctl, SDK, man pages; DESTDIR= PREFIX=

install-modules: modules	## only the modules
	$(Q)install -d $(DESTDIR)$(MODDIR)
	$(Q)install -m 644 $(B)/$(KREL)/bpf_gro.ko $(B)/$(KREL)/bpf_rx_header.ko $(DESTDIR)$(MODDIR)
	$(Q)$(if $(DESTDIR),:,depmod -a $(KREL))

install-tools: bpf tools man	## all but the modules, for use with DKMS
	$(Q)install -d $(DESTDIR)$(SBINDIR) $(DESTDIR)$(LIBDIR)/bpf-gro/headers $(DESTDIR)$(INCLUDEDIR)/bpf_gro \
		$(DESTDIR)$(DATADIR)/pkgconfig $(DESTDIR)$(DATADIR)/bash-completion/completions
	$(Q)$(if $(groctl),install -m 755 $(B)/groctl $(DESTDIR)$(SBINDIR))
	$(Q)$(if $(policies),install -m 644 $(policies) $(DESTDIR)$(LIBDIR)/bpf-gro)
	$(Q)$(if $(headers),install -m 644 $(headers) $(DESTDIR)$(LIBDIR)/bpf-gro/headers)
	$(Q)install -m 644 bpf/include/bpf_gro/*.h $(DESTDIR)$(INCLUDEDIR)/bpf_gro
	$(Q)printf '%s\n' 'includedir=$(INCLUDEDIR)' '' 'Name: bpf-gro' \
		'Description: headers for GRO policies in BPF' 'Version: $(VERSION)' \
		'Cflags: -I$${includedir}' >$(DESTDIR)$(DATADIR)/pkgconfig/bpf-gro.pc
	$(Q)for page in $(man); do \
		install -D -m 644 $$page $(DESTDIR)$(MANDIR)/man$${page##*.}/$${page##*/}; done
	$(Q)for file in $(wildcard loader/completion/groctl); do \
		install -m 644 $$file $(DESTDIR)$(DATADIR)/bash-completion/completions/; done
	$(Q)for file in $(wildcard loader/systemd/*.service); do \
		install -D -m 644 $$file $(DESTDIR)$(UNITDIR)/$${file##*/}; \
		sed -i 's|@SBINDIR@|$(SBINDIR)|g' $(DESTDIR)$(UNITDIR)/$${file##*/}; done

uninstall:	## removes what install put there
	$(Q)rm -f $(DESTDIR)$(MODDIR)/bpf_gro.ko $(DESTDIR)$(MODDIR)/bpf_rx_header.ko $(DESTDIR)$(SBINDIR)/groctl \
		$(DESTDIR)$(DATADIR)/pkgconfig/bpf-gro.pc $(DESTDIR)$(DATADIR)/bash-completion/completions/groctl \
		$(addprefix $(DESTDIR)$(UNITDIR)/,$(notdir $(wildcard loader/systemd/*.service))) \
		$(foreach page,$(notdir $(man)),$(DESTDIR)$(MANDIR)/man$(subst .,,$(suffix $(page)))/$(page))
	$(Q)rm -rf $(DESTDIR)$(LIBDIR)/bpf-gro $(DESTDIR)$(INCLUDEDIR)/bpf_gro
	$(Q)$(if $(DESTDIR),:,depmod -a $(KREL))

dkms:		## the module's source for DKMS, and with no DESTDIR= built and installed by it
	$(Q)VERSION=$(VERSION) scripts/dkms-tree $(DESTDIR)$(DKMSDIR)
	$(Q)$(if $(DESTDIR),:,command -v dkms >/dev/null || { echo "dkms is missing: install package dkms" >&2; exit 1; })
	$(Q)$(if $(DESTDIR),:,dkms install bpf-gro/$(VERSION))

# ---- the rest ----
.PHONY: lint clean help
lint:		## checkpatch, shellcheck, codespell; what is missing is named
	$(Q)scripts/lint

clean:		## removes build/
	$(Q)rm -rf $(B)

help:		## this list
	$(Q)awk -F ':.*## |:[^#]*##' '/^[a-z-]+:.*## / { name = $$1; sub(/^[^#]*## */, "", $$0); printf "  %-18s %s\n", name, $$0 }' $(firstword $(MAKEFILE_LIST))
