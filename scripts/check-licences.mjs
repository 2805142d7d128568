/**
 * Fails if a dependency's licence is not allowed in this repository (`pnpm check:licences`). Shipped
 * dependencies (of the service and of the pages that it serves) must have a permissive licence. Build and
 * test tools may have others, listed by name.
 *
 * `--page` prints the shipped dependencies, as the page /docs/licences of the site.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** SPDX identifiers of licences that at most require a notice. */
const permissive = [
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'OFL-1.1',
  'PSF-2.0',
  'Python-2.0',
  'Unlicense',
  'Zlib',
]

/** Tools that are neither shipped nor linked, and why each is used. */
const tools = new Map([
  ['@pimlico/alto', 'a bundler in its own process, for comparison in tests and benchmarks'],
  ['@uniswap/lib', 'a dependency of @account-abstraction/contracts'],
  ['@uniswap/v2-core', 'a dependency of @account-abstraction/contracts'],
  ['@uniswap/v3-core', 'a dependency of @account-abstraction/contracts'],
  ['@uniswap/v3-periphery', 'a dependency of @account-abstraction/contracts'],
  ['@safe-global/safe-4337', 'its compiled bytecode is loaded into local networks as data'],
  ['@safe-global/safe-passkey', 'its compiled bytecode is loaded into local networks as data'],
  ['@safe-global/safe-contracts', 'its compiled bytecode is loaded into local networks as data'],
  ['@safe-global/safe-smart-account', 'its compiled bytecode is loaded into tests as data'],
  ['axe-core', 'checks the wallet in tests'],
  ['caniuse-lite', 'a dependency of the mutation tests, as data'],
  ['elkjs', 'lays out diagrams while the documentation is built (a dependency of beautiful-mermaid)'],
  ['lightningcss', 'builds the wallet'],
])

/** Platform packages count as their tool: `lightningcss-linux-x64-gnu` is lightningcss. */
const isTool = (name) => [...tools.keys()].some((tool) => name === tool || name.startsWith(`${tool}-`))

/** `(MIT OR CC0-1.0)`: one permissive licence is enough. With AND, each must be permissive. */
function isPermissive(licence) {
  const text = licence.replace(/[()]/g, '')
  if (text.includes(' AND ')) return text.split(' AND ').every(isPermissive)
  return text.split(' OR ').some((one) => permissive.includes(one.trim()))
}

/** Every package that pnpm lists, with its licence, versions and paths. */
function packages(...parameters) {
  const output = execFileSync('pnpm', [...parameters, 'licenses', 'list', '--json'], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  return Object.entries(JSON.parse(output)).flatMap(([licence, found]) =>
    found.map(({ name, versions, paths }) => ({ name, licence, versions, paths })),
  )
}

/** Whether the package is for one platform, so that other machines install another one. */
function isOfOnePlatform({ paths: [path] }) {
  const { os, cpu } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'))
  return os !== undefined || cpu !== undefined
}

/** Compares by code units, so that the order is the same on every machine, whatever its locale. */
const byText = (a, b) => (a < b ? -1 : 1)

function toDocument(shipped) {
  const rows = shipped
    .filter((one) => !isOfOnePlatform(one))
    .flatMap(({ name, versions, licence }) =>
      versions.map((version) => `| ${name} | ${version} | ${licence.replace(/[()]/g, '')} |`),
    )
    .sort(byText)
  return `# Licences

The dependencies of the service and of the pages that it serves, with the versions in the lockfile. \`pnpm check\`
fails if one of these licences is not allowed. Packages for a single platform, such as anvil's binary, have the licence
of the package that depends on them. Fonts and bytecode: [NOTICE.md](../NOTICE.md).

| Package | Version | Licence (SPDX) |
|---|---|---|
${rows.join('\n')}
`
}

// VitePress builds the documentation. NOTICE.md names the parts of it that reach the browser.
const parts = ['api', 'wallet', 'recovery', 'docs'].flatMap((app) => ['--filter-prod', `@lanyard/${app}...`])
const shipped = packages(...parts, '--prod')
if (process.argv.includes('--page')) {
  process.stdout.write(toDocument(shipped))
  process.exit()
}
const all = packages('--recursive')
const refused = [
  ...shipped.filter(({ licence }) => !isPermissive(licence)).map((one) => ({ ...one, where: 'shipped' })),
  ...all
    .filter(({ name, licence }) => !isPermissive(licence) && !isTool(name))
    .map((one) => ({ ...one, where: 'installed' })),
]
for (const { name, licence, where } of refused) {
  process.stderr.write(`${name} is ${where}, and its licence is ${licence}\n`)
}
if (shipped.length === 0 || refused.length > 0) process.exit(1)
process.stdout.write(`licences: ${shipped.length} shipped packages, ${all.length} in all\n`)
