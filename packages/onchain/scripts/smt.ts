/**
 * Proves the assertions of `smt/Models.sol` with solc's model checker and the z3 that solc-js contains:
 * `node scripts/smt.ts [names of models]`. CHC proves an assertion for all sequences of calls, BMC for one call with any
 * arguments. Each model is compiled alone, since what z3 spends on one counts for all.
 */
import { askSolc, readSource } from './changed-code.ts'

const entry = 'smt/Models.sol'
const source = readSource(entry)
const models = [...source.matchAll(/^\/\/\/ @custom:engine (\w+)\ncontract (\w+)/gm)]
if (models.length !== source.match(/^contract /gm)?.length) throw new Error('A model names no engine')
const chosen = models.filter(([, , name = '']) => process.argv.length === 2 || process.argv.includes(name))
if (chosen.length === 0) throw new Error('No model has this name')

for (const [, engine, name = ''] of chosen) {
  const modelChecker = {
    engine,
    solvers: ['z3'],
    contracts: { [entry]: [name] },
    targets: ['assert'],
    showProvedSafe: true,
    showUnproved: true,
  }
  const settings = { evmVersion: 'cancun', modelChecker, outputSelection: { '*': { '*': [] } } }
  const { errors = [] }: { errors?: readonly { readonly message: string }[] } = askSolc(entry, settings)
  const words = errors.map(({ message }) => message.split('\n')[0] ?? '')
  const isProved = words.length > 0 && words.every((message) => message.includes('check is safe'))
  console.log(`${name}, ${engine}: ${isProved ? 'proved' : 'NOT PROVED'}: ${words.join(' ')}`)
  if (!isProved) process.exitCode = 1
}
