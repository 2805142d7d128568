/**
 * Mutation testing of SmartBalance, AttestorSet, SessionKeys, Epochs and Ownership. It changes one place of the sources at a time, guided by
 * the compiler's syntax tree, and runs the forge unit tests, of which at least one must fail. Gas tests and
 * the invariant campaigns are excluded: a mutant that only they detect has no test of its own.
 *
 * `node scripts/mutants.ts [--contract SessionKeys] [--file Execution] [--sample 40 --seed 1] [--list]`
 *
 * With `--invariants` it breaks the guards of `invariant-mutants.ts` instead, and runs only the invariant
 * campaigns: first at the usual depth, then, if none fails, at that of FOUNDRY_PROFILE=ci. With `--guards` it breaks the
 * same ones and runs the unit tests. `--name` is a regular expression for those to break.
 *
 * `--quick` compiles with less optimization, in a fifth of the time, takes the committed code of the other contracts,
 * and leaves out the tests of gas and size. `--invariants` and `--guards` imply it.
 *
 * Survivors that docs/contract-mutants.md lists, with a reason, are accepted. For any others, the command
 * prints rows for that page and fails.
 *
 * An interrupted run continues where it stopped: verdicts are stored in .cache/mutants. They are valid until
 * the bytecode changes, those of survivors until the tests change. `--fresh` deletes them.
 */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  appendFileSync,
  cpSync,
  existsSync,
  globSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { writeCommittedArtifacts } from './committed-code.ts'
import { forgeBinary } from './forge-binary.ts'
import { invariantMutants } from './invariant-mutants.ts'

/**
 * solc-js, the same compiler as in `scripts/solc.mjs`; here it compiles one contract many times in one
 * process.
 */
const solc: { compile(input: string, callbacks: object): string } = createRequire(import.meta.url)('solc')

const root = fileURLToPath(new URL('..', import.meta.url))
const page = join(root, '../../docs/contract-mutants.md')

interface Target {
  readonly name: string
  /** The value in foundry.toml. */
  readonly optimizerRuns: number
  /** The pipeline in foundry.toml. */
  readonly viaIR: boolean
  /** Whether the legacy pipeline has too little of the stack for it. */
  readonly needsIR?: true
  /** Paths of the sources that are mutated. */
  readonly sources: RegExp
  /** forge's --match-path and --no-match-contract. */
  readonly tests: string
  readonly otherTests: string
  /** Tests that depend on the optimizer. */
  readonly gasTests: string
}

const targets: readonly Target[] = [
  {
    name: 'AttestorSet',
    optimizerRuns: 10_000,
    viaIR: false,
    sources: /^contracts\/AttestorSet\.sol/,
    tests: 'contracts/test/{attacks/UsePowers*,smart-balance/AttestorSet*}',
    otherTests: 'Gas|Invariant',
    gasTests: 'Gas',
  },
  {
    name: 'Epochs',
    optimizerRuns: 10_000,
    viaIR: false,
    sources: /^contracts\/Epochs\.sol/,
    tests: 'contracts/test/{*/epochs*,ownership/Ownership.inv*}',
    otherTests: 'Gas|Invariant',
    gasTests: 'Gas',
  },
  {
    name: 'Ownership',
    optimizerRuns: 10_000,
    viaIR: true,
    needsIR: true,
    sources: /^contracts\/(Ownership\.sol|ownership\/)/,
    tests: 'contracts/test/ownership/*',
    otherTests: 'Gas|Invariant',
    gasTests: 'Gas',
  },
  {
    name: 'SessionKeys',
    optimizerRuns: 10_000,
    viaIR: false,
    sources: /^contracts\/session-keys\//,
    tests: 'contracts/test/{attacks/Session*,session-keys/*}',
    otherTests: 'Gas|Invariant',
    gasTests: 'Gas',
  },
  {
    name: 'SmartBalance',
    optimizerRuns: 200,
    viaIR: true,
    sources: /^contracts\/smart-balance\//,
    tests: 'contracts/test/{attacks,smart-balance}/*',
    otherTests: 'Gas|Invariant|^Session',
    gasTests: 'Probe|FailWithoutARecord|SmartBalanceDeployer|FailWhileTheTokenIsPaused',
  },
]

/** A node of solc's syntax tree; only the members that this script uses. */
interface Node {
  readonly nodeType: string
  /** Offset and length in bytes, index of the source. */
  readonly src: string
  readonly name?: string
  readonly kind?: string
  readonly operator?: string
  readonly condition?: Node
  readonly expression?: Node
  readonly subExpression?: Node
  readonly leftExpression?: Node
  readonly rightExpression?: Node
  readonly leftHandSide?: Node
  readonly rightHandSide?: Node
  readonly trueBody?: Node
  readonly endExpression?: Node
  readonly arguments?: readonly Node[]
  readonly typeDescriptions?: { readonly typeString?: string }
}

interface Mutant {
  readonly file: string
  readonly line: number
  readonly function: string
  /** The line of the source, trimmed. */
  readonly code: string
  /** Bytes of the source. */
  readonly start: number
  readonly end: number
  readonly original: string
  readonly replacement: string
}

const swaps: Readonly<Record<string, readonly string[]>> = {
  '<': ['<='],
  '<=': ['<'],
  '>': ['>='],
  '>=': ['>'],
  '==': ['!='],
  '!=': ['=='],
  '&&': ['||'],
  '||': ['&&'],
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '%': ['*'],
  '**': ['*'],
  '|': ['&'],
  '&': ['|'],
  '^': ['&'],
  '<<': ['>>'],
  '>>': ['<<'],
  '+=': ['-='],
  '-=': ['+='],
  '|=': ['&='],
  '&=': ['|='],
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'nodeType' in value && 'src' in value

/** All mutations of one source file, in source order. */
function mutantsOf(file: string, source: Buffer, ast: Node): Mutant[] {
  const found = new Map<string, Mutant>()
  const rangeEnds = new Set<string>()
  const lines = source.toString().split('\n')
  const span = ({ src }: Node) => {
    const [start = 0, length = 0] = src.split(':').map(Number)
    return { start, end: start + length }
  }
  const text = (start: number, end: number) => source.subarray(start, end).toString()

  function add(place: string, start: number, end: number, replacement: string): void {
    const original = text(start, end)
    if (original === replacement) return
    const line = text(0, start).split('\n').length
    const code = lines[line - 1]?.trim() ?? ''
    const mutant = { file, line, function: place, code, start, end, original, replacement }
    found.set(`${start}:${end}:${replacement}`, mutant)
  }
  const textOf = (node: Node) => text(span(node).start, span(node).end)
  function replace(place: string, node: Node | undefined, replacement: string): void {
    if (node) add(place, span(node).start, span(node).end, replacement)
  }
  /** The tree has no position for an operator: it is the last one between its operands, after any comment. */
  function swap(place: string, operator: string, left: Node | undefined, right: Node | undefined): void {
    if (!left || !right) return
    const between = text(span(left).end, span(right).start)
    const start = span(left).end + Buffer.byteLength(between.slice(0, between.lastIndexOf(operator)))
    for (const other of swaps[operator] ?? []) add(place, start, start + operator.length, other)
  }

  function visit(node: Node, place: string, isLoopStep = false): void {
    const isFunction = node.nodeType === 'FunctionDefinition' || node.nodeType === 'ModifierDefinition'
    const inside = isFunction ? node.name || node.kind || '' : place
    mutate(node, inside, isLoopStep)
    for (const [member, value] of Object.entries(node)) {
      for (const child of Array.isArray(value) ? value : [value])
        if (isNode(child)) visit(child, inside, isLoopStep || member === 'loopExpression')
    }
  }

  function mutate(node: Node, place: string, isLoopStep: boolean): void {
    const { operator = '', condition, expression } = node
    switch (node.nodeType) {
      case 'BinaryOperation':
        swap(place, operator, node.leftExpression, node.rightExpression)
        // Remove one clause.
        if (operator === '&&' || operator === '||')
          for (const clause of [node.leftExpression, node.rightExpression])
            replace(place, clause, operator === '&&' ? 'true' : 'false')
        break
      case 'Assignment':
        swap(place, operator, node.leftHandSide, node.rightHandSide)
        break
      case 'UnaryOperation':
        if (isLoopStep || !node.subExpression) break
        if (operator === '!' || operator === '~') replace(place, node, textOf(node.subExpression))
        if (operator === '++') replace(place, node, `--${textOf(node.subExpression)}`)
        if (operator === '--') replace(place, node, `++${textOf(node.subExpression)}`)
        break
      case 'IfStatement':
        replace(place, condition, 'true')
        // Removing the revert of such a statement equals a false condition.
        if (node.trueBody?.nodeType !== 'RevertStatement') replace(place, condition, 'false')
        break
      case 'Conditional':
        replace(place, condition, 'true')
        replace(place, condition, 'false')
        break
      case 'ForStatement':
      case 'WhileStatement':
        replace(place, condition, 'false')
        break
      case 'Return':
        if (expression?.typeDescriptions?.typeString !== 'bool') break
        replace(place, expression, 'true')
        replace(place, expression, 'false')
        break
      case 'FunctionCall':
        rememberRangeEnd(node)
        if (expression?.name !== 'require' && expression?.name !== 'assert') break
        replace(place, node.arguments?.[0], 'true')
        replace(place, node.arguments?.[0], 'false')
        break
      case 'ExpressionStatement':
      case 'EmitStatement':
      case 'RevertStatement':
        if (!isLoopStep) add(place, span(node).start, source.indexOf(';', span(node).end) + 1, '{}')
        break
      case 'ModifierInvocation':
        if (node.kind === 'modifierInvocation') replace(place, node, '')
        break
      case 'Literal':
        mutateLiteral(place, node)
    }
  }

  /** `bytes32(data[:32])`: the conversion takes the first bytes of a longer range, so only a shorter one differs. */
  function rememberRangeEnd({ kind, typeDescriptions, arguments: [range] = [] }: Node): void {
    const isFixed = kind === 'typeConversion' && /^bytes\d+$/.test(typeDescriptions?.typeString ?? '')
    if (isFixed && range?.endExpression) rangeEnds.add(range.endExpression.src)
  }

  function mutateLiteral(place: string, node: Node): void {
    const written = textOf(node)
    const { start } = span(node)
    if (node.kind === 'bool') replace(place, node, written === 'true' ? 'false' : 'true')
    // Names of types and domains, which are hashed.
    if (node.kind === 'string' && written.length > 2) add(place, start + 1, start + 1, '_')
    // Keeps a unit of time or ether that may follow.
    const [digits] = /^(0x[\da-fA-F]+|\d[\d_]*)(?=\s|$)/.exec(written) ?? []
    if (node.kind !== 'number' || digits === undefined) return
    const value = BigInt(digits.replaceAll('_', ''))
    const more = rangeEnds.has(node.src) ? [] : [value + 1n]
    for (const other of value > 0n ? [...more, value - 1n] : [1n]) {
      const hex = `0x${other.toString(16).padStart(digits.length - 2, '0')}`
      add(place, start, start + digits.length, digits.startsWith('0x') ? hex : String(other))
    }
  }

  visit(ast, '')
  return [...found.values()].sort((a, b) => a.start - b.start)
}

/** The mutants of `invariant-mutants.ts` in one source file. */
function brokenGuards(file: string, source: Buffer): Mutant[] {
  return invariantMutants
    .filter((mutant) => mutant.file === file && new RegExp(options.name).test(mutant.name))
    .map(({ name, original, replacement }) => {
      const start = source.indexOf(original)
      if (start < 0 || source.indexOf(original, start + 1) >= 0)
        throw new Error(`${name}: not exactly once in ${file}: ${original}`)
      const end = start + Buffer.byteLength(original)
      const line = source.subarray(0, start).toString().split('\n').length
      return { file, line, function: name, code: original, start, end, original, replacement }
    })
}

interface Compiled {
  readonly sources: Readonly<Record<string, { readonly ast: Node }>>
  readonly bytecode: string
}

const sourcesRead = new Map<string, Buffer>()

/** Caches the first read, so that the package may be edited during a run. */
function readSource(path: string): Buffer {
  const source = sourcesRead.get(path) ?? readFileSync(join(root, path))
  sourcesRead.set(path, source)
  return source
}

/**
 * Compiles a contract like foundry.toml does, with the given sources replaced. Returns nothing if it does not
 * compile. Syntax trees are returned only without replaced sources: writing them takes half of the time.
 */
function compile(
  { name, optimizerRuns, viaIR, needsIR }: Target,
  replaced: Readonly<Record<string, string>> = {},
): Compiled | undefined {
  const entry = `contracts/${name}.sol`
  const read = (path: string) => ({ contents: replaced[path] ?? readSource(path).toString() })
  const input = {
    language: 'Solidity',
    sources: { [entry]: { content: read(entry).contents } },
    settings: {
      remappings: ['@openzeppelin/=node_modules/@openzeppelin/'],
      evmVersion: 'cancun',
      optimizer: {
        enabled: true,
        runs: isQuick ? 200 : optimizerRuns,
        // The stack is allocated; nothing is optimized.
        ...(isQuick && needsIR && { details: { yul: true, yulDetails: { optimizerSteps: ':' } } }),
      },
      viaIR: isQuick ? needsIR === true : viaIR,
      metadata: { bytecodeHash: 'none', appendCBOR: false },
      outputSelection: {
        '*': { '': Object.keys(replaced).length === 0 ? ['ast'] : [] },
        [entry]: { [name]: ['evm.bytecode.object'] },
      },
    },
  }
  const {
    errors = [],
    contracts,
    sources,
  } = JSON.parse(solc.compile(JSON.stringify(input), { import: read }))
  if (errors.some(({ severity }: { severity: string }) => severity === 'error')) return undefined
  return { sources, bytecode: contracts[entry][name].evm.bytecode.object }
}

/**
 * Copies this package, compiled, to the same place of an otherwise linked repository, because artifacts are
 * read from ../../node_modules. The tests read the creation code from `out` at run time (`_creationCode` of
 * Test.sol), so neither the copy nor a mutant compiles anything that forge has compiled before.
 *
 * @returns its folder
 */
function copyPackage({ name }: Target): string {
  const repository = join(root, '.cache/mutants', name)
  const copy = join(repository, 'packages/onchain')
  for (const part of ['contracts', 'scripts', 'foundry.toml', 'snapshots']) {
    rmSync(join(copy, part), { recursive: true, force: true })
    cpSync(join(root, part), join(copy, part), { recursive: true, preserveTimestamps: true })
  }
  if (isQuick) {
    rmSync(join(copy, artifacts), { recursive: true, force: true })
    cpSync(join(root, writeCommittedArtifacts()), join(copy, artifacts), { recursive: true })
  }
  // Kept by the copy: forge compiles only what has changed since its last run there.
  for (const part of ['out', '.cache/forge'])
    if (existsSync(join(root, part)) && !existsSync(join(copy, part)))
      cpSync(join(root, part), join(copy, part), { recursive: true, preserveTimestamps: true })
  link(join(root, 'node_modules'), join(copy, 'node_modules'))
  link(join(root, '../../node_modules'), join(repository, 'node_modules'))
  return copy
}

function link(target: string, path: string): void {
  if (!existsSync(path)) symlinkSync(target, path)
}

/** @returns the first test that failed; nothing if all passed */
async function runTests(copy: string, target: Target, isDeep = false): Promise<string | undefined> {
  const { tests, otherTests, gasTests } = target
  // Sequences that forge keeps of a failure would fail for the next mutant, too.
  rmSync(join(copy, 'cache'), { recursive: true, force: true })
  const chosen = options.invariants
    ? ['--match-contract', 'Invariants', '--match-test', 'invariant']
    : ['--no-match-contract', isQuick ? `${otherTests}|${gasTests}` : otherTests]
  const arguments_ = ['--match-path', tests, ...chosen, '--fail-fast', '--json']
  const child = spawn(forgeBinary(), ['test', ...arguments_], {
    cwd: copy,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      CONTRACT_ARTIFACTS: artifacts,
      ...(isQuick && { FOUNDRY_PROFILE: 'rest', FOUNDRY_CODE_SIZE_LIMIT: '100000' }),
      ...(isDeep && { FOUNDRY_INVARIANT_RUNS: '32', FOUNDRY_INVARIANT_DEPTH: '100' }),
      ...(options.invariants
        ? { FOUNDRY_INVARIANT_SHRINK_RUN_LIMIT: '0' }
        : // The gas limit ends endless loops.
          { FOUNDRY_FUZZ_RUNS: '8', FOUNDRY_GAS_LIMIT: '300000000' }),
    },
  })
  const output: Buffer[] = []
  const errors: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => output.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => errors.push(chunk))
  await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve))
  const printed = Buffer.concat(output).toString()
  const json = printed.slice(printed.indexOf('{'))
  if (!json.startsWith('{"contracts'))
    throw new Error(`forge ran no test:\n${printed}\n${Buffer.concat(errors)}`)
  const suites: Record<string, { test_results: Record<string, { status: string }> }> = JSON.parse(json)
  for (const [suite, { test_results }] of Object.entries(suites))
    for (const [test, { status }] of Object.entries(test_results))
      if (status === 'Failure') return `${suite.replace(/^.*:/, '')}.${test}`
  return undefined
}

/** The first `count` values of a seeded shuffle (Fisher and Yates, generator mulberry32). */
function sample<T>(values: readonly T[], count: number, seed: number): T[] {
  const shuffled = [...values]
  let state = seed >>> 0
  for (let last = shuffled.length - 1; last > 0; last--) {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    const at = ((mixed ^ (mixed >>> 14)) >>> 0) % (last + 1)
    const [a, b] = [shuffled[at], shuffled[last]]
    if (a !== undefined && b !== undefined) [shuffled[at], shuffled[last]] = [b, a]
  }
  return shuffled.slice(0, count)
}

/** A row of the page up to its reason. It has no line number, because other changes move lines. */
function rowOf({ file, function: place, code, original, replacement }: Mutant): string {
  const quote = (text: string) => `\`${text.replace(/\s+/g, ' ').replaceAll('|', '\\|') || ' '}\``
  return `| ${file.replace('contracts/', '')}, ${place} | ${quote(code)} | ${quote(original)} | ${quote(replacement)} |`
}

interface Verdict {
  readonly verdict: 'did not compile' | 'same bytecode' | 'killed' | 'survived'
  /** The test that failed. */
  readonly test?: string | undefined
}

/**
 * The verdicts of earlier runs with the same bytecode, by mutant. A survivor is judged again when the tests
 * have changed.
 */
function keepVerdicts({ name }: Target, bytecode: string) {
  const path = join(
    root,
    '.cache/mutants',
    `${name}${options.invariants ? '-invariants' : options.guards ? '-guards' : ''}.jsonl`,
  )
  const tests = createHash('sha256')
  for (const file of globSync('contracts/test/**/*.sol', { cwd: root }).sort())
    tests.update(file).update(readFileSync(join(root, file)))
  const testsDigest = tests.digest('hex')
  const seen = new Map<string, number>()
  /** Without offsets: comments move lines. Identical rows are counted, so the order of calls matters. */
  function idOf(mutant: Mutant): string {
    const row = rowOf(mutant)
    const count = seen.get(row) ?? 0
    seen.set(row, count + 1)
    return createHash('sha256').update([bytecode, row, count].join()).digest('hex')
  }
  if (options.fresh) rmSync(path, { force: true })
  const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n') : []
  const kept = new Map<string, Verdict>()
  for (const line of lines) {
    // The last line may be incomplete.
    if (!line.endsWith('}')) continue
    const { id, tests: testedBy, ...verdict } = JSON.parse(line)
    if (verdict.verdict === 'survived' && testedBy !== testsDigest) kept.delete(id)
    else kept.set(id, verdict)
  }
  return {
    idOf,
    get: (id: string) => kept.get(id),
    set: (id: string, verdict: Verdict) =>
      appendFileSync(path, `\n${JSON.stringify({ id, tests: testsDigest, ...verdict })}`),
  }
}

const { values: options } = parseArgs({
  options: {
    contract: { type: 'string' },
    file: { type: 'string', default: '' },
    sample: { type: 'string' },
    seed: { type: 'string', default: '1' },
    list: { type: 'boolean', default: false },
    invariants: { type: 'boolean', default: false },
    guards: { type: 'boolean', default: false },
    name: { type: 'string', default: '' },
    fresh: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
  },
})
const isQuick = options.quick || options.invariants || options.guards
/** Where the tests find the code, in the copy. */
const artifacts = isQuick ? 'out/committed' : 'out'

async function testMutants(target: Target): Promise<number> {
  const original = compile(target)
  if (!original) throw new Error(`${target.name} does not compile`)
  const sources = new Map(
    Object.keys(original.sources)
      .filter((file) => target.sources.test(file) && file.includes(options.file))
      .map((file) => [file, readSource(file)] as const)
      // packages/session-keys compares it selector by selector.
      .filter(([, source]) => !source.includes('Generated by')),
  )
  const generated = [...sources].flatMap(([file, source]) =>
    options.invariants || options.guards
      ? brokenGuards(file, source)
      : mutantsOf(file, source, original.sources[file]?.ast as Node),
  )
  const chosen =
    options.sample === undefined ? generated : sample(generated, Number(options.sample), Number(options.seed))
  console.log(`${target.name}: ${generated.length} mutants, ${chosen.length} chosen`)
  if (options.list) {
    for (const mutant of chosen) console.log(`${mutant.line} ${rowOf(mutant)}`)
    return 0
  }

  const copy = copyPackage(target)
  const path = join(copy, artifacts, `${target.name}.sol/${target.name}.json`)
  const place = (bytecode: string) => {
    const artifact = JSON.parse(readFileSync(path, 'utf8'))
    writeFileSync(path, JSON.stringify({ ...artifact, bytecode: { ...artifact.bytecode, object: bytecode } }))
  }
  // An earlier run left its last mutant here.
  if (existsSync(path)) place(`0x${original.bytecode}`)
  const failing = await runTests(copy, target)
  if (failing) throw new Error(`${failing} fails without a mutant`)
  if (!isQuick && JSON.parse(readFileSync(path, 'utf8')).bytecode.object !== `0x${original.bytecode}`)
    throw new Error('Compiled otherwise than by forge')

  const accepted = existsSync(page) ? readFileSync(page, 'utf8') : ''
  const counts = { 'did not compile': 0, 'same bytecode': 0, killed: 0, 'survived, accepted': 0, survived: 0 }
  const kept = keepVerdicts(target, original.bytecode)
  const ids = new Map(generated.map((mutant) => [mutant, kept.idOf(mutant)]))
  /** Different changes may compile to the same bytecode. */
  const byBytecode = new Map<string, string | undefined>()

  async function judge(mutant: Mutant, source: Buffer): Promise<Verdict> {
    const { start, end, replacement } = mutant
    const changed = Buffer.concat([source.subarray(0, start), Buffer.from(replacement), source.subarray(end)])
    const compiled = compile(target, { [mutant.file]: changed.toString() })
    if (!compiled) return { verdict: 'did not compile' }
    if (compiled.bytecode === original?.bytecode) return { verdict: 'same bytecode' }
    const key = createHash('sha256').update(compiled.bytecode).digest('hex')
    if (!byBytecode.has(key)) {
      place(`0x${compiled.bytecode}`)
      const failed = await runTests(copy, target)
      byBytecode.set(key, failed ?? (options.invariants ? await runTests(copy, target, true) : undefined))
    }
    const test = byBytecode.get(key)
    return test === undefined ? { verdict: 'survived' } : { verdict: 'killed', test }
  }

  for (const [index, mutant] of chosen.entries()) {
    const source = sources.get(mutant.file)
    if (!source) continue
    const id = ids.get(mutant) ?? ''
    let judged = kept.get(id)
    if (!judged) {
      judged = await judge(mutant, source)
      kept.set(id, judged)
    }
    const { verdict, test } = judged
    const row = rowOf(mutant)
    const counted = verdict === 'survived' && accepted.includes(row) ? 'survived, accepted' : verdict
    counts[counted]++
    const progress = `${index + 1}/${chosen.length}`
    console.log(`${progress} ${counted}${test ? ` by ${test}` : ''}: ${mutant.line} ${row}`)
  }
  console.log(
    `${target.name}: ${Object.entries(counts)
      .map(([what, count]) => `${count} ${what}`)
      .join(', ')}`,
  )
  return counts.survived
}

let survivors = 0
for (const target of targets)
  if (options.contract === undefined || options.contract === target.name)
    survivors += await testMutants(target)
if (survivors > 0) process.exitCode = 1
