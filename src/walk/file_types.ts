/**
 * File types by name, from ripgrep 15.0.0's `rg --type-list`, and by the names that people and models give them:
 * languages, extensions, other spellings.
 *
 * @module
 */

import type { NoteOn } from "../notes/words.ts";
import { distance } from "../util/text.ts";
import { PathgrepError } from "../util/errors.ts";

const ALL = "all";

/** The known file types as ripgrep lists them: a line `name: glob, glob` for each. */
export function typeList(): string {
  return TABLE;
}

export function typeNames(): readonly string[] {
  return [...fileTypes().keys(), ALL];
}

/**
 * The globs of a known file type, or with `all` of every one; a file is of the type when its name
 * matches one.
 */
export function typeGlobs(type: string): readonly string[] {
  const types = fileTypes();
  return type === ALL ? [...types.values()].flat() : types.get(type) ?? [];
}

let parsed: ReadonlyMap<string, readonly string[]> | undefined;

export function fileTypes(): ReadonlyMap<string, readonly string[]> {
  return parsed ??= new Map(
    TABLE.trimEnd().split("\n").map((line) => {
      const colon = line.indexOf(": ");
      return [line.slice(0, colon), line.slice(colon + 2).split(", ")];
    }),
  );
}

const TABLE = `\
ada: *.adb, *.ads
agda: *.agda, *.lagda
aidl: *.aidl
alire: alire.toml
amake: *.bp, *.mk
asciidoc: *.adoc, *.asc, *.asciidoc
asm: *.S, *.asm, *.s
asp: *.ascx, *.ascx.cs, *.ascx.vb, *.asp, *.aspx, *.aspx.cs, *.aspx.vb
ats: *.ats, *.dats, *.hats, *.sats
avro: *.avdl, *.avpr, *.avsc
awk: *.awk
bat: *.bat
batch: *.bat
bazel: *.BUILD, *.bazel, *.bazelrc, *.bzl, BUILD, MODULE.bazel, WORKSPACE, WORKSPACE.bazel, WORKSPACE.bzlmod
bitbake: *.bb, *.bbappend, *.bbclass, *.conf, *.inc
boxlang: *.bx, *.bxm, *.bxs
brotli: *.br
buildstream: *.bst
bzip2: *.bz2, *.tbz2
c: *.[chH], *.[chH].in, *.cats
cabal: *.cabal
candid: *.did
carp: *.carp
cbor: *.cbor
ceylon: *.ceylon
cfml: *.cfc, *.cfm
clojure: *.clj, *.cljc, *.cljs, *.cljx
cmake: *.cmake, CMakeLists.txt
cmd: *.bat, *.cmd
cml: *.cml
coffeescript: *.coffee
config: *.cfg, *.conf, *.config, *.ini
coq: *.v
cpp: *.[ChH], *.[ChH].in, *.[ch]pp, *.[ch]pp.in, *.[ch]xx, *.[ch]xx.in, *.cc, *.cc.in, *.hh, *.hh.in, *.inl
creole: *.creole
crystal: *.cr, *.ecr, Projectfile, shard.yml
cs: *.cs
csharp: *.cs
cshtml: *.cshtml
csproj: *.csproj
css: *.css, *.scss
csv: *.csv
cuda: *.cu, *.cuh
cython: *.pxd, *.pxi, *.pyx
d: *.d
dart: *.dart
devicetree: *.dts, *.dtsi, *.dtso
dhall: *.dhall
diff: *.diff, *.patch
dita: *.dita, *.ditamap, *.ditaval
docker: *Dockerfile*
dockercompose: docker-compose.*.yml, docker-compose.yml
dts: *.dts, *.dtsi
dvc: *.dvc, Dvcfile
ebuild: *.ebuild, *.eclass
edn: *.edn
elisp: *.el
elixir: *.eex, *.ex, *.exs, *.heex, *.leex, *.livemd
elm: *.elm
erb: *.erb
erlang: *.erl, *.hrl
fennel: *.fnl
fidl: *.fidl
fish: *.fish
flatbuffers: *.fbs
fortran: *.F, *.F77, *.F90, *.F95, *.f, *.f77, *.f90, *.f95, *.pfo
fsharp: *.fs, *.fsi, *.fsx
fut: *.fut
gap: *.g, *.gap, *.gd, *.gi, *.tst
gdscript: *.gd
gleam: *.gleam
gn: *.gn, *.gni
go: *.go
gprbuild: *.gpr
gradle: *.gradle, *.gradle.kts, gradle-wrapper.*, gradle.properties, gradlew, gradlew.bat
graphql: *.graphql, *.graphqls
groovy: *.gradle, *.groovy
gzip: *.gz, *.tgz
h: *.h, *.hh, *.hpp
haml: *.haml
hare: *.ha
haskell: *.c2hs, *.cpphs, *.hs, *.hsc, *.lhs
hbs: *.hbs
hs: *.hs, *.lhs
html: *.ejs, *.htm, *.html
hy: *.hy
idris: *.idr, *.lidr
janet: *.janet
java: *.java, *.jsp, *.jspx, *.properties
jinja: *.j2, *.jinja, *.jinja2
jl: *.jl
js: *.cjs, *.js, *.jsx, *.mjs, *.vue
json: *.json, *.sarif, composer.lock
jsonl: *.jsonl
julia: *.jl
jupyter: *.ipynb, *.jpynb
k: *.k
kconfig: Kconfig, Kconfig.*
kotlin: *.kt, *.kts
lean: *.lean
less: *.less
license: *[.-]LICEN[CS]E*, AGPL-*[0-9]*, APACHE-*[0-9]*, BSD-*[0-9]*, CC-BY-*, COPYING, COPYING[.-]*, COPYRIGHT, COPYRIGHT[.-]*, EULA, EULA[.-]*, GFDL-*[0-9]*, GNU-*[0-9]*, GPL-*[0-9]*, LGPL-*[0-9]*, LICEN[CS]E, LICEN[CS]E[.-]*, MIT-*[0-9]*, MPL-*[0-9]*, NOTICE, NOTICE[.-]*, OFL-*[0-9]*, PATENTS, PATENTS[.-]*, UNLICEN[CS]E, UNLICEN[CS]E[.-]*, agpl[.-]*, gpl[.-]*, lgpl[.-]*, licen[cs]e, licen[cs]e.*
lilypond: *.ily, *.ly
lisp: *.el, *.jl, *.lisp, *.lsp, *.sc, *.scm
llvm: *.ll
lock: *.lock, package-lock.json
log: *.log
lua: *.lua
lz4: *.lz4
lzma: *.lzma
m4: *.ac, *.m4
make: *.mak, *.mk, Makefile.*, [Gg][Nn][Uu]makefile, [Gg][Nn][Uu]makefile.am, [Gg][Nn][Uu]makefile.in, [Mm]akefile, [Mm]akefile.am, [Mm]akefile.in
mako: *.mako, *.mao
man: *.[0-9][cEFMmpSx], *.[0-9lnpx]
markdown: *.markdown, *.md, *.mdown, *.mdwn, *.mdx, *.mkd, *.mkdn
matlab: *.m
md: *.markdown, *.md, *.mdown, *.mdwn, *.mdx, *.mkd, *.mkdn
meson: meson.build, meson.options, meson_options.txt
minified: *.min.css, *.min.html, *.min.js
mint: *.mint
mk: mkfile
ml: *.ml
motoko: *.mo
msbuild: *.csproj, *.fsproj, *.proj, *.props, *.sln, *.slnf, *.targets, *.vcxproj
nim: *.nim, *.nimble, *.nimf, *.nims
nix: *.nix
objc: *.h, *.m
objcpp: *.h, *.mm
ocaml: *.ml, *.mli, *.mll, *.mly
org: *.org, *.org_archive
pants: BUILD
pascal: *.dpr, *.inc, *.lpr, *.pas, *.pp
pdf: *.pdf
perl: *.PL, *.perl, *.pl, *.plh, *.plx, *.pm, *.t
php: *.php, *.php3, *.php4, *.php5, *.php7, *.php8, *.pht, *.phtml
po: *.po
pod: *.pod
postscript: *.eps, *.ps
prolog: *.P, *.pl, *.pro, *.prolog
protobuf: *.proto
ps: *.cdxml, *.ps1, *.ps1xml, *.psd1, *.psm1
puppet: *.epp, *.erb, *.pp, *.rb
purs: *.purs
py: *.py, *.pyi
python: *.py, *.pyi
qmake: *.prf, *.pri, *.pro
qml: *.qml
qrc: *.qrc
qui: *.ui
r: *.R, *.Rmd, *.Rnw, *.r, *.rmd, *.rnw
racket: *.rkt
raku: *.p6, *.pl6, *.pm6, *.raku, *.rakudoc, *.rakumod, *.rakutest
rdoc: *.rdoc
readme: *README, README*
reasonml: *.re, *.rei
red: *.r, *.red, *.reds
rescript: *.res, *.resi
robot: *.robot
rst: *.rst
ruby: *.gemspec, *.rake, *.rb, *.rbw, .irbrc, Gemfile, Rakefile, config.ru
rust: *.rs
sass: *.sass, *.scss
scala: *.sbt, *.scala
scdoc: *.scd, *.scdoc
seed7: *.s7i, *.sd7
sh: *.bash, *.bashrc, *.csh, *.cshrc, *.env, *.ksh, *.kshrc, *.sh, *.tcsh, *.zsh, .bash_login, .bash_logout, .bash_profile, .bashrc, .cshrc, .env, .kshrc, .login, .logout, .profile, .tcshrc, .zlogin, .zlogout, .zprofile, .zshenv, .zshrc, bash_login, bash_logout, bash_profile, bashrc, profile, zlogin, zlogout, zprofile, zshenv, zshrc
slim: *.skim, *.slim, *.slime
smarty: *.tpl
sml: *.sig, *.sml
solidity: *.sol
soy: *.soy
spark: *.spark
spec: *.spec
sql: *.psql, *.sql
stylus: *.styl
sv: *.h, *.sv, *.svh, *.v, *.vg
svelte: *.svelte, *.svelte.ts
svg: *.svg
swift: *.swift
swig: *.def, *.i
systemd: *.automount, *.conf, *.device, *.link, *.mount, *.path, *.scope, *.service, *.slice, *.socket, *.swap, *.target, *.timer
taskpaper: *.taskpaper
tcl: *.tcl
tex: *.bib, *.cls, *.dtx, *.ins, *.ltx, *.sty, *.tex
texinfo: *.texi
textile: *.textile
tf: *.terraform.lock.hcl, *.terraformrc, *.tf, *.tf.json, *.tfrc, *.tfvars, *.tfvars.json, terraform.rc
thrift: *.thrift
toml: *.toml, Cargo.lock
ts: *.cts, *.mts, *.ts, *.tsx
twig: *.twig
txt: *.txt
typescript: *.cts, *.mts, *.ts, *.tsx
typoscript: *.ts, *.typoscript
typst: *.typ
usd: *.usd, *.usda, *.usdc
v: *.v, *.vsh
vala: *.vala
vb: *.vb
vcl: *.vcl
verilog: *.sv, *.svh, *.v, *.vh
vhdl: *.vhd, *.vhdl
vim: *.vim, .gvimrc, .vimrc, _gvimrc, _vimrc, gvimrc, vimrc
vimscript: *.vim, .gvimrc, .vimrc, _gvimrc, _vimrc, gvimrc, vimrc
vue: *.vue
webidl: *.idl, *.webidl, *.widl
wgsl: *.wgsl
wiki: *.mediawiki, *.wiki
xml: *.dtd, *.rng, *.sch, *.xhtml, *.xjb, *.xml, *.xml.dist, *.xsd, *.xsl, *.xslt
xz: *.txz, *.xz
yacc: *.y
yaml: *.yaml, *.yml
yang: *.yang
z: *.Z
zig: *.zig
zsh: *.zsh, .zlogin, .zlogout, .zprofile, .zshenv, .zshrc, zlogin, zlogout, zprofile, zshenv, zshrc
zstd: *.zst, *.zstd
`;

/** The name in messages of the option that includes or excludes types. */
export type TypeField = "type" | "type-not";

/** Other names of types, in lower case, without spaces, hyphens and underscores. */
const ALIASES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    asm: "assembler assembly",
    bat: "batchfile",
    clojure: "clojurescript",
    cpp: "c++ cc cplusplus cxx",
    cs: "c#",
    css: "css3",
    docker: "dockerfile",
    elisp: "el emacslisp",
    elixir: "exs",
    erlang: "erl",
    fsharp: "f#",
    go: "golang",
    graphql: "gql",
    haskell: "lhs",
    html: "htm html5 xhtml",
    js: "cjs ecmascript es6 javascript javascriptreact jsx mjs node nodejs",
    jupyter: "ipynb notebook",
    kotlin: "kt kts",
    make: "gnumake makefile",
    md: "mdx",
    objc: "objectivec",
    objcpp: "objectivec++ objectivecpp",
    perl: "pl perl5",
    protobuf: "proto proto3",
    ps: "powershell ps1 pwsh",
    py: "python2 python3 py3",
    r: "rlang",
    rst: "restructuredtext",
    ruby: "rb",
    rust: "rs rustlang",
    sh: "bash shell shellscript",
    sql: "mysql postgres postgresql sqlite",
    tex: "latex",
    tf: "hcl terraform",
    ts: "cts mts tsx typescriptreact",
    txt: "plaintext text",
    vb: "vbnet visualbasic",
    vim: "vimrc viml",
    vue: "vuejs",
    yaml: "yml",
  }).flatMap(([type, names]) => names.split(" ").map((name) => [name, type] as const)),
);

/** The longest extension, and the most suggestions. */
const MAX_EXTENSION = 20;
const MAX_NEAR = 5;

/**
 * Reads values of an option that takes types, each of which may be a list: as globs, one of which the name of
 * a file of these types matches, and notes on what was read differently than given.
 *
 * @throws {PathgrepError} `invalid_input` for a type that is not known, with those that look like it
 */
export function readTypes(
  lists: readonly string[],
  field: TypeField,
): { globs: string[]; notes: NoteOn<"type_read">[] } {
  const globs = new Set<string>();
  const notes: NoteOn<"type_read">[] = [];
  for (const given of lists.flatMap((list) => list.split(",")).map((name) => name.trim())) {
    const names = readAs(given) === undefined ? given.split(/[\s;|]+/u) : [given];
    const isList = names.length > 1 && names.every((name) => readAs(name) !== undefined);
    for (const name of isList ? names : [given]) {
      const reading = readAs(name);
      if (reading === undefined) throw unknownType(name);
      const { type, extension } = reading;
      // No more is excluded than was named: `tsx` does not exclude `*.ts`.
      const isExtension = type === undefined || field === "type-not" && extension !== undefined;
      const own = isExtension ? [`*.${extension}`] : typeGlobs(type);
      for (const glob of own) globs.add(glob);
      if (!isExtension && type === name) continue;
      const values = { field, type: name, read: isExtension ? `*.${extension}` : type };
      notes.push({ reason: "type_read", values });
    }
  }
  return { globs: [...globs], notes };
}

type TypeReading = { type: string; extension?: string | undefined } | {
  type?: undefined;
  extension: string;
};

/** What is meant by the name of a type, where that is known. */
export function readAs(given: string): TypeReading | undefined {
  const types = typeNames();
  if (types.includes(given)) return { type: given };
  const name = given.toLowerCase().replace(/^\*?\./u, "");
  if (types.includes(name)) return { type: name };
  const word = name.replace(/[\s_-]+/gu, "");
  const type = ALIASES.get(word) ?? (types.includes(word) ? word : undefined);
  const extension = extensionIn(name, type === undefined ? types : [type]);
  if (type !== undefined) return { type, extension };
  return extension === undefined ? undefined : { extension };
}

/** A name as an extension, if one of some types has it. */
function extensionIn(name: string, types: readonly string[]): string | undefined {
  if (name.length > MAX_EXTENSION || !/^\w+$/u.test(name)) return undefined;
  return types.some((type) => typeGlobs(type).includes(`*.${name}`)) ? name : undefined;
}

function unknownType(given: string): PathgrepError {
  const near = nearestTypes(given);
  const error = new PathgrepError(
    "invalid_input",
    `unknown file type '${given}'; ${near.length > 0 ? `similar: ${near.join(", ")}; ` : ""}` +
      "`pathgrep --type-list` lists all",
  );
  return near.length > 0 ? error.with({ suggestions: near }) : error;
}

/** Types with a name like that, the likeliest first. */
function nearestTypes(given: string): string[] {
  const wanted = given.toLowerCase().replace(/^\*?\./u, "").replace(/[\s_-]+/gu, "").slice(0, 40);
  const names = new Map([...ALIASES, ...typeNames().map((name) => [name, name] as const)]);
  const near = [...names].flatMap(([name, type]) => {
    const slips = distance(wanted, name);
    if (slips <= Math.min(2, Math.floor(wanted.length / 2))) return [{ type, slips }];
    // Names that differ only by missing or additional letters come last.
    return beginAlike(wanted, name) ? [{ type, slips: 10 + slips }] : [];
  });
  const sorted = near.sort((a, b) => a.slips - b.slips);
  return [...new Set(sorted.map(({ type }) => type))].slice(0, MAX_NEAR);
}

/** Whether one is letters of the other in order from the first (`js`, `javascript`). */
function beginAlike(a: string, b: string): boolean {
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  if (short.length < 2 || short[0] !== long[0]) return false;
  let next = 0;
  for (const letter of long) if (letter === short[next]) next++;
  return next === short.length;
}
