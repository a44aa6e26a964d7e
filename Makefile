# The targets that people and the continuous integration use; `make` alone lists them.

PREFIX ?= /usr/local
SCRIPT ?=
ARGS ?=
LUA_TESTS ?=
FILTER ?=
FROM ?=

# Without debugging information, which costs a seventh of the build and isn't in a stripped program.
RELEASE := -c release --product primerepl -Xswiftc -gnone
# Generic types are made by the functions that know their protocols. By their names, which the compiler prefers because that is
# smaller, the runtime would search 5,700 conformances for each protocol of each type: a start would take nearly twice its 14
# million instructions.
RELEASE += -Xswiftc -Xfrontend -Xswiftc -disable-concrete-type-metadata-mangled-name-accessors
ifeq ($(shell uname -s),Linux)
# Linking the Swift runtime statically lets the program run where no Swift is installed, and start twice as fast.
# Dropping the symbol table (-s) makes it a third smaller.
RELEASE += --static-swift-stdlib -Xlinker -s
# The folder Linking makes the C++ library static, too: its 5,000 symbols would be looked up at each start. SQLite is loaded
# on first use instead: modules in C may load it, too, and two copies conflict.
RELEASE += -Xswiftc -use-ld=lld -Xlinker -L$(CURDIR)/Linking
# The 90,000 relocations are packed, in a format that glibc reads since 2.36.
ifeq ($(shell printf '2.36\n%s\n' "$$(getconf GNU_LIBC_VERSION | cut -d' ' -f2)" | sort -VC && echo yes),yes)
RELEASE += -Xlinker -z -Xlinker pack-relative-relocs
endif
# Swift exports all symbols for programs with plug-ins in Swift. Those of Lua, below, are the only ones that anybody looks
# up, and a start is shorter by what the Swift runtime does with the others.
RELEASE += -Xlinker --no-export-dynamic -Xlinker '--export-dynamic-symbol=lua*'
# Lua is linked statically, as in Debian's lua command: a shared library is up to 25 % slower. The program exports all of its
# functions to modules in C. For that, Lua is linked as an object file: the symbols of static libraries are hidden. A module
# that was linked with the shared library loads that, too, but the program's functions come first.
STATIC_LUA := .build/lua-object/lua5.4.pc .build/lua-object/lua5.4.o
FINDING_LUA := PKG_CONFIG_PATH="$(CURDIR)/.build/lua-object:$$PKG_CONFIG_PATH"
LINKING_LUA := -Xlinker $(CURDIR)/.build/lua-object/lua5.4.o
RELEASE += $(LINKING_LUA)
endif
# One test at a time, as the sanitizers make them slow, and without XCTest, which leaks. Leaks are detected only where our own
# code is the only possible cause: a process that ends with os.exit frees nothing, and the thread for requests lives as long as
# the process. The quarantine of freed memory is small, or it would exceed the memory limits in the tests.
SANITIZED := --disable-xctest --no-parallel
# ThreadSanitizer delays a signal until the code calls the C library, which a loop in Lua may never do, so time limits and
# interrupts don't stop it. Some 100,000 of Lua's errors, which leave C functions by longjmp, overflow its own stack. And
# 100,000 async calls need gigabytes.
UNSUITED_TO_THREADS := 'RunLimitTests|GuideTests|SandboxTests|MemoryTests|immediateCompletions'
SWIFT_SOURCES := Sources Tests Benchmarks/Sources Examples/Notes Package.swift Benchmarks/Package.swift
SHELL_SCRIPTS := .ci/run $(wildcard Scripts/*) Tests/Packages/run Tests/Packages/in-debian
PROGRAM = $(shell swift build $(RELEASE) --show-bin-path)/primerepl

.PHONY: help
help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "make %-13s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.PHONY: run
run: build ## Open the prompt, or run a script: make run SCRIPT=file ARGS="..."
	@"$(PROGRAM)" $(if $(SCRIPT),"$(SCRIPT)") $(ARGS)

.PHONY: build
build: dependencies $(STATIC_LUA) ## Build the release version
	$(FINDING_LUA) swift build $(RELEASE)

.PHONY: test
test: test-dependencies ## Build and run all tests, or some: make test FILTER=StateFileTests
	swift build --build-tests
ifneq ($(FILTER),)
	Scripts/run-tests --filter "$(FILTER)"
else
	@# Separately, as long computations would delay the tests that run processes.
	Scripts/run-tests --skip CommandTests
	Scripts/run-tests --filter CommandTests
endif

.PHONY: stress
stress: dependencies ## Run many more generated scripts than the tests do: make stress ARGS=5000
	STRESS_SCRIPTS=$(or $(ARGS),5000) swift test --filter StressTests

.PHONY: crash-test
crash-test: dependencies ## Kill a process that writes a state file 200 times: make crash-test ARGS=1000
	CRASH_TEST_ROUNDS=$(or $(ARGS),200) swift test --filter CrashTests

.PHONY: shared-crash-test
shared-crash-test: test-dependencies ## Kill processes that share a session 100 times, and their server: make shared-crash-test ARGS=1000
	SHARED_CRASH_TEST_ROUNDS=$(or $(ARGS),100) swift test --filter 'KilledWriterTests|LostConnectionTests'

.PHONY: damage-test
damage-test: dependencies ## Damage state files in 500 ways: make damage-test ARGS=5000
	DAMAGE_TEST_ROUNDS=$(or $(ARGS),500) swift test --filter DamageTests

.PHONY: lua-suite
lua-suite: lua-tests build ## Run Lua's own tests on the release build: make lua-suite LUA_TESTS=folder
	cd "$(LUA_TESTS)" && "$(PROGRAM)" -e "_U = true" all.lua

.PHONY: browser-test
browser-test: dependencies ## Check the page and the HTML report in Chromium, which is installed if missing: make browser-test ARGS=folder-for-pictures
	@Scripts/install-dependencies --browser
	swift build --build-tests
	@rm -rf .build/browser-test
	@mkdir -p .build/browser-test
	BROWSER_TEST_FOLDER="$(CURDIR)/.build/browser-test" swift test --skip-build --filter HTMLReportTests
	python3 -B Tests/Browser/report_test.py .build/browser-test $(ARGS)
	python3 -B Tests/Browser/page_test.py .build/debug/primerepl
	python3 -B Tests/Browser/sessions_test.py .build/debug/primerepl
	python3 -B Tests/Browser/picture_test.py .build/debug/primerepl $(or $(ARGS),.build/browser-test)

.PHONY: docs
docs: dependencies ## Write Documentation/lua-reference.md, the reference of what scripts see
	swift build --product primerepl
	@"$(shell swift build --show-bin-path)/primerepl" docs > .build/lua-reference.md
	@mv .build/lua-reference.md Documentation/lua-reference.md

.PHONY: sanitize
sanitize: dependencies ## Run the tests with AddressSanitizer, and those of the Lua library with ThreadSanitizer
	swift test $(SANITIZED) --sanitize=address --scratch-path .build-address --filter LuaTests
	ASAN_OPTIONS=detect_leaks=0:quarantine_size_mb=1 swift test $(SANITIZED) --sanitize=address --scratch-path .build-address --skip LuaTests
	swift test $(SANITIZED) --sanitize=thread --scratch-path .build-thread --filter LuaTests --skip $(UNSUITED_TO_THREADS)

.PHONY: bench
bench: build ## Check the speed of the library and the app, or compare it with a revision's: make bench FROM=HEAD~9 ARGS="session"
	$(FINDING_LUA) PRIMEREPL_BENCHMARKS=1 swift build --package-path Benchmarks -c release $(LINKING_LUA)
	$(if $(FROM),Scripts/bench-from "$(FROM)",Benchmarks/.build/release/benchmarks) $(ARGS)

.PHONY: pictures
pictures: dependencies ## Retake the pictures of the prompt and the page in Documentation/images; with CI=true, only check the prompt's
	swift build --build-tests
	$(if $(CI),,RETAKE_PICTURES=1) swift test --skip-build --filter PictureTests
ifeq ($(CI),)
	@Scripts/install-dependencies --browser
	python3 -B Tests/Browser/picture_test.py .build/debug/primerepl Documentation/images
endif

.PHONY: format
format: swift ## Format the sources
	swift format --in-place --recursive $(SWIFT_SOURCES)

.PHONY: lint
lint: swift ## Check the sources' format and style, and the scripts' syntax
	swift format lint --strict --recursive $(SWIFT_SOURCES)
	@for script in $(SHELL_SCRIPTS); do "$$(sed -n '1s/^#!//p' "$$script")" -n "$$script" || exit; done
	@if command -v shellcheck >/dev/null; then shellcheck $(SHELL_SCRIPTS); fi

.PHONY: install
install: build ## Install the program, its man page and shell completions under PREFIX (/usr/local)
	Scripts/install "$(PROGRAM)" "$(DESTDIR)$(PREFIX)"

.PHONY: dist
dist: build ## Make a tarball and a Debian package of the program in .build/dist
	Scripts/dist "$(PROGRAM)" .build/dist

.PHONY: dist-test
dist-test: dist ## Install, use and remove the packages in a new, minimal Debian; takes root and debootstrap
	Tests/Packages/run .build/dist

.PHONY: clean
clean: ## Remove everything that was built
	rm -rf .build .build-*

# What the targets above need.

# In their portable mode (_U) the tests need neither the lua command nor a Lua that was compiled for them.
.PHONY: lua-tests
lua-tests:
	@test -n "$(LUA_TESTS)" -a -f "$(LUA_TESTS)/all.lua" || { \
	  echo "LUA_TESTS must be the folder testes of Lua 5.4.4. Get it, and name it:" >&2; \
	  echo "  git clone --depth 1 --branch v5.4.4 https://github.com/lua/lua /tmp/lua" >&2; \
	  echo "  make lua-suite LUA_TESTS=/tmp/lua/testes" >&2; \
	  exit 1; }

.PHONY: dependencies
dependencies: swift
	@Scripts/install-dependencies

.PHONY: test-dependencies
test-dependencies: swift
	@Scripts/install-dependencies --tests

.build/lua-object/lua5.4.pc: | dependencies
	@mkdir -p $(@D)
	@sed 's/^Libs:.*/Libs: -lm -ldl/' \
	  "$$(pkg-config --variable=pcfiledir lua5.4)/lua5.4.pc" > $@

.build/lua-object/lua5.4.o: | dependencies
	@mkdir -p $(@D)
	@ld -r --whole-archive "$$(pkg-config --variable=libdir lua5.4)/liblua5.4.a" -o $@

.PHONY: swift
swift:
	@command -v swift >/dev/null || { \
	  echo "Swift 6.2 or later isn't in PATH. Get it from https://www.swift.org/install/" >&2; exit 1; }
