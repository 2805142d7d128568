/**
 * Coverage of SmartBalance, AttestorSet, SessionKeys and Ownership by statement and branch.
 *
 * `forge coverage` compiles without the optimizer, which SmartBalance and SessionKeys do not survive ("Stack too deep"). So
 * this script marks a copy of the sources: before each statement, and in both branches of each `if`, it calls the identity
 * precompile with a number, about 130 gas. Then it runs all unit tests, and reads the numbers from forge's traces. Tests of gas
 * and code size fail on the copy and are not counted as failures.
 *
 * `node scripts/coverage.ts [options of forge test]` prints what no test reaches, and a table.
 */
import { spawn } from 'node:child_process'
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { forgeBinary } from './forge-binary.ts'

const solc: { compile(input: string): string } = createRequire(import.meta.url)('solc')

const root = fileURLToPath(new URL('..', import.meta.url))
const repository = join(root, '.cache/coverage')
const copy = join(repository, 'packages/onchain')

/** The contracts, by their sources. */
const parts: readonly (readonly [name: string, sources: string])[] = [
  ['SmartBalance', 'contracts/smart-balance/**/*.sol'],
  ['AttestorSet', 'contracts/AttestorSet.sol'],
  ['SessionKeys', 'contracts/session-keys/**/*.sol'],
  ['Ownership', 'contracts/{Ownership.sol,ownership/**/*.sol}'],
]

/** A node of solc's syntax tree; only the members that this script uses. */
interface Node {
  readonly nodeType: string
  /** Offset and length in bytes. */
  readonly src: string
  readonly statements?: readonly Node[]
  readonly trueBody?: Node
  readonly falseBody?: Node
  readonly body?: Node
}

interface Place {
  readonly part: string
  readonly file: string
  readonly line: number
  readonly kind: 'statement' | 'branch'
  readonly code: string
}

const places: Place[] = []
/** Not a number that a contract could pass to the precompile by chance. */
const prefix = 'c07e7a6ec07e7a6e'
const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'nodeType' in value && 'src' in value

function mark(place: Place): string {
  const number = places.push(place) - 1
  const word = `0x${prefix}${number.toString(16).padStart(8, '0')}`
  return `assembly ("memory-safe") { mstore(0, ${word}) pop(staticcall(gas(), 4, 0, 32, 0, 0)) } `
}

function instrument(part: string, file: string): string {
  const source = readFileSync(join(root, file))
  const input = {
    language: 'Solidity',
    sources: { [file]: { content: source.toString() } },
    settings: { stopAfter: 'parsing', outputSelection: { '*': { '': ['ast'] } } },
  }
  const ast: Node = JSON.parse(solc.compile(JSON.stringify(input))).sources[file].ast
  const starts = new Map<number, string[]>()
  const ends = new Map<number, string[]>()
  const insert = (map: Map<number, string[]>, at: number, text: string) =>
    map.set(at, [...(map.get(at) ?? []), text])
  const span = ({ src }: Node) => {
    const [start = 0, length = 0] = src.split(':').map(Number)
    return { start, end: start + length }
  }
  function placeOf(node: Node, kind: Place['kind']): Place {
    const line = source.subarray(0, span(node).start).toString().split('\n').length
    return { part, file, line, kind, code: source.toString().split('\n')[line - 1]?.trim() ?? '' }
  }
  /** Where a statement ends, with its semicolon. */
  function endOf(node: Node): number {
    const { end } = span(node)
    const last = node.falseBody ?? node.trueBody
    if (node.nodeType === 'IfStatement' && last) return endOf(last)
    const next = source.subarray(end).toString().trimStart()[0]
    return next === ';' && !/Block$/.test(node.nodeType) ? source.indexOf(';', end) + 1 : end
  }
  function visitBody(node: Node, kind: Place['kind']): void {
    const { start } = span(node)
    if (/Block$/.test(node.nodeType)) {
      insert(starts, start + 1, kind === 'branch' ? ` ${mark(placeOf(node, kind))}` : ' ')
      visit(node)
      return
    }
    insert(starts, start, `{ ${mark(placeOf(node, kind))}`)
    visit(node)
    insert(ends, endOf(node), ' }')
  }
  function visit(node: Node): void {
    if (node.nodeType === 'InlineAssembly') return
    if (node.nodeType === 'IfStatement' && node.trueBody) {
      visitBody(node.trueBody, 'branch')
      if (node.falseBody) visitBody(node.falseBody, 'branch')
      else insert(ends, endOf(node), ` else { ${mark(placeOf(node, 'branch'))} }`)
      return
    }
    if (/^(For|While)Statement$/.test(node.nodeType) && node.body) {
      visitBody(node.body, 'statement')
      return
    }
    for (const statement of node.statements ?? [])
      insert(starts, span(statement).start, mark(placeOf(statement, 'statement')))
    for (const value of Object.values(node))
      for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) visit(child)
  }
  visit(ast)
  let text = ''
  let from = 0
  for (const at of [...new Set([...starts.keys(), ...ends.keys()])].sort((a, b) => a - b)) {
    text += source.subarray(from, at).toString()
    text += [...(ends.get(at) ?? []), ...(starts.get(at) ?? [])].join('')
    from = at
  }
  return text + source.subarray(from).toString()
}

mkdirSync(copy, { recursive: true })
for (const part of ['contracts', 'scripts', 'snapshots']) {
  rmSync(join(copy, part), { recursive: true, force: true })
  cpSync(join(root, part), join(copy, part), { recursive: true })
}
for (const [target, path] of [
  [join(root, 'node_modules'), join(copy, 'node_modules')],
  [join(root, '../../node_modules'), join(repository, 'node_modules')],
] as const)
  if (!existsSync(path)) symlinkSync(target, path)
// The pipeline of SmartBalance takes minutes, and makes no difference here.
const settings = readFileSync(join(root, 'foundry.toml'), 'utf8')
writeFileSync(
  join(copy, 'foundry.toml'),
  settings.replace(/^(additional_compiler_profiles|compilation_restrictions) = .*$/gm, ''),
)
for (const [part, pattern] of parts)
  for (const file of globSync(pattern, { cwd: root }).sort())
    if (!readFileSync(join(root, file), 'utf8').includes('Generated by'))
      writeFileSync(join(copy, file), instrument(part, file))
// A marked function is not pure.
for (const file of globSync('contracts/**/*.sol', { cwd: copy })) {
  const path = join(copy, file)
  writeFileSync(path, readFileSync(path, 'utf8').replace(/^(?!\s*\/\/)(.*)\bpure\b/gm, '$1view'))
}

const reached = new Set<number>()
// Only the calls: traces also print the code that makes them.
const pattern = new RegExp(`PRECOMPILES::identity\\(0x0*${prefix}([0-9a-f]{8})\\)`, 'g')
const child = spawn(
  forgeBinary(),
  [
    'test',
    '-vvvvv',
    '--no-match-contract',
    'Gas|Invariants|Simulator|DevToken',
    '--no-match-test',
    'reachesEveryState',
    ...process.argv.slice(2),
  ],
  {
    cwd: copy,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      FOUNDRY_CODE_SIZE_LIMIT: '200000',
      FOUNDRY_FUZZ_RUNS: '8',
      FOUNDRY_GAS_SNAPSHOT_CHECK: 'false',
    },
  },
)
for await (const line of createInterface({ input: child.stdout })) {
  for (const [, number = ''] of line.matchAll(pattern)) reached.add(Number.parseInt(number, 16))
  if (/^(\[FAIL|Ran |Error|Compiler run failed)/.test(line)) console.log(line)
}
if (!existsSync(join(copy, 'out'))) throw new Error('The marked sources do not compile')

for (const [number, { file, line, kind, code }] of places.entries())
  if (!reached.has(number)) console.log(`not reached: ${file}:${line} ${kind}: ${code}`)
const share = (of: readonly number[]) => {
  const count = of.filter((number) => reached.has(number)).length
  return `${count} of ${of.length} (${((count / of.length) * 100).toFixed(1)} %)`
}
console.log('| Contract | Statements | Branches |\n|---|---:|---:|')
for (const [part] of parts) {
  const numbers = [...places.keys()].filter((number) => places[number]?.part === part)
  const ofKind = (kind: Place['kind']) => numbers.filter((number) => places[number]?.kind === kind)
  console.log(`| ${part} | ${share(ofKind('statement'))} | ${share(ofKind('branch'))} |`)
}
