/**
 * Runs solc's SMTChecker, with the z3 inside solc-js, on the arithmetic of vault, exits and settlement,
 * and on the states of Ownership (`smt/Models.sol`), and prints its words. Fails if a property that it once proved is not proved.
 *
 * `node scripts/smt.ts [--model DepositsAreCovered] [--seconds 240]`
 *
 * CHC proves an assertion for all sequences of calls, BMC for one call with any arguments. Each model runs in
 * a process of its own: solc-js cannot stop a solver (its time limit needs threads), and a solver that does
 * not end must not hide the others' results.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

interface Message {
  readonly severity: string
  readonly message: string
}

interface Model {
  readonly name: string
  readonly engine: 'chc' | 'bmc'
  /** Whether z3 has proved it. The others are listed in docs/audit/evidence.md with what holds them instead. */
  readonly isProved: boolean
}

const models: readonly Model[] = [
  { name: 'ExitIsPartOfBalance', engine: 'chc', isProved: true },
  { name: 'BalanceIsPartOfDeposits', engine: 'chc', isProved: true },
  { name: 'DepositsAreCovered', engine: 'chc', isProved: true },
  { name: 'SettlementTakesWhatIsDue', engine: 'chc', isProved: true },
  { name: 'QuotientIsBelowAmount', engine: 'bmc', isProved: true },
  { name: 'PaymentKeepsNumerator', engine: 'bmc', isProved: true },
  { name: 'PaymentKeepsDenominator', engine: 'bmc', isProved: true },
  { name: 'PaymentIsHeld', engine: 'bmc', isProved: true },
  { name: 'PaymentIsFinal', engine: 'bmc', isProved: true },
  { name: 'RestIsPartOfReceived', engine: 'bmc', isProved: true },
  { name: 'NothingRestsOfAnEmptyBalance', engine: 'bmc', isProved: true },
  { name: 'SequenceGrowsByOne', engine: 'chc', isProved: true },
  { name: 'OnlyTheStartedRecovery', engine: 'chc', isProved: true },
  { name: 'NumbersStartOnce', engine: 'chc', isProved: true },
  { name: 'OwnersStayAList', engine: 'bmc', isProved: true },
  { name: 'ShareIsHeld', engine: 'bmc', isProved: false },
  { name: 'ShareIsBelowAmount', engine: 'bmc', isProved: false },
  { name: 'AskingAgainPaysNothing', engine: 'bmc', isProved: false },
]

const root = fileURLToPath(new URL('..', import.meta.url))
const entry = 'smt/Models.sol'
const read = (path: string) => ({ contents: readFileSync(join(root, path), 'utf8') })

/** Prints one JSON array of messages. */
function check({ name, engine }: Model): void {
  const solc: { compile(input: string, callbacks: object): string } = createRequire(import.meta.url)('solc')
  const input = {
    language: 'Solidity',
    sources: { [entry]: { content: read(entry).contents } },
    settings: {
      evmVersion: 'cancun',
      modelChecker: {
        engine,
        solvers: ['z3'],
        contracts: { [entry]: [name] },
        targets: ['assert'],
        showProvedSafe: true,
        showUnproved: true,
      },
      outputSelection: { '*': { '*': [] } },
    },
  }
  const { errors = [] } = JSON.parse(solc.compile(JSON.stringify(input), { import: read })) as {
    errors?: readonly Message[]
  }
  for (const { message, severity } of errors) if (severity === 'error') throw new Error(message)
  console.log(JSON.stringify(errors.map(({ message }) => message)))
}

/** Checks one model in a process that ends after some seconds. */
function checkApart(model: Model, seconds: number): boolean {
  const began = Date.now()
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    [fileURLToPath(import.meta.url), '--in-process', model.name],
    { encoding: 'utf8', timeout: seconds * 1000, killSignal: 'SIGKILL' },
  )
  const found: readonly string[] = status === 0 ? JSON.parse(stdout) : []
  const words = found
    .filter((message) => /^(CHC|BMC):/.test(message))
    .map((message) => message.split('\n')[0])
  const isProved = words.length > 0 && words.every((message) => message?.includes('check is safe'))
  const took = `${((Date.now() - began) / 1000).toFixed(0)} s`
  const said = words.join(' ') || (status === null ? 'no answer' : stderr)
  console.log(`${model.name}, ${model.engine}, ${took}: ${isProved ? 'proved' : 'NOT PROVED'}: ${said}`)
  return isProved
}

const { values: options } = parseArgs({
  options: {
    model: { type: 'string' },
    seconds: { type: 'string', default: '240' },
    'in-process': { type: 'string' },
  },
})

const only = options['in-process'] ?? options.model
const chosen = models.filter(({ name }) => only === undefined || name === only)
if (chosen.length === 0) throw new Error(`no model ${only}`)
if (options['in-process']) {
  for (const model of chosen) check(model)
} else {
  for (const model of chosen)
    if (!checkApart(model, Number(options.seconds)) && model.isProved) process.exitCode = 1
}
