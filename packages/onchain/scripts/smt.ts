/**
 * Runs solc's SMTChecker, with the z3 inside solc-js, on the arithmetic of vault, exits and settlement
 * (`smt/*.sol`), and prints what it proves, refutes and gives up. Fails if an expected proof is missing.
 *
 * `node scripts/smt.ts [--contract ShareModel] [--engine chc|bmc]`
 *
 * CHC proves assertions for all sequences of calls, BMC for one call with any arguments.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

interface Message {
  readonly severity: string
  readonly message: string
  readonly sourceLocation?: { readonly file: string; readonly start: number; readonly end: number }
}

const solc: { compile(input: string, callbacks: object): string } = createRequire(import.meta.url)('solc')
const root = fileURLToPath(new URL('..', import.meta.url))
const entry = 'smt/VaultModel.sol'
const read = (path: string) => ({ contents: readFileSync(join(root, path), 'utf8') })

const { values: options } = parseArgs({
  options: { contract: { type: 'string' }, engine: { type: 'string', default: 'chc' } },
})

/** Conditions that the checker must prove, at least. Fewer are a regression. */
const expected: Readonly<Record<string, number>> = { VaultModel: 0, ShareModel: 0, SettlementModel: 0 }

for (const [contract, least] of Object.entries(expected)) {
  if (options.contract !== undefined && options.contract !== contract) continue
  const began = Date.now()
  const { errors = [] } = JSON.parse(
    solc.compile(
      JSON.stringify({
        language: 'Solidity',
        sources: { [entry]: { content: read(entry).contents } },
        settings: {
          evmVersion: 'cancun',
          modelChecker: {
            engine: options.engine,
            solvers: ['z3'],
            contracts: { [entry]: [contract] },
            targets: ['assert', 'overflow', 'underflow', 'divByZero'],
            showProvedSafe: true,
            showUnproved: true,
          },
          outputSelection: { '*': { '*': [] } },
        },
      }),
      { import: read },
    ),
  ) as { errors?: readonly Message[] }
  const found = errors.filter(({ message }) => /^(CHC|BMC):/.test(message))
  const proved = found.filter(({ message }) => message.includes('check is safe'))
  console.log(
    `${contract}: ${proved.length} proved, ${found.length - proved.length} not, ${(Date.now() - began) / 1000} s`,
  )
  for (const { message, sourceLocation } of found) {
    const source = sourceLocation && read(sourceLocation.file).contents
    const line = source?.slice(0, sourceLocation?.start).split('\n').length
    const code = source?.slice(sourceLocation?.start, sourceLocation?.end).replace(/\s+/g, ' ')
    console.log(`  ${line} ${message.split('\n')[0]} | ${code}`)
    if (message.includes('Counterexample')) console.log(message.split('\n').slice(1).join('\n    '))
  }
  for (const { message, severity } of errors) if (severity === 'error') throw new Error(message)
  if (proved.length < least) process.exitCode = 1
}
