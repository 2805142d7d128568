import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { writeCommittedArtifacts } from './committed-code.ts'

const solc: { compile(input: string, callbacks?: object): string } = createRequire(import.meta.url)('solc')
const root = fileURLToPath(new URL('..', import.meta.url))

export const readSource = (path: string) => readFileSync(`${root}${path}`, 'utf8')

/** solc's answer to a source and settings, with paths relative to this package. */
export function askSolc(path: string, settings: object, change = (_: string, source: string) => source) {
  const read = (file: string) => ({ contents: change(file, readSource(file)) })
  const input = { language: 'Solidity', sources: { [path]: { content: read(path).contents } }, settings }
  return JSON.parse(solc.compile(JSON.stringify(input), { import: read }))
}

/** Puts the committed code of all contracts where tests with CONTRACT_ARTIFACTS find it, into a folder of `out`. */
export function placeCommittedCode(folder: string): void {
  rmSync(`${root}${folder}`, { recursive: true, force: true })
  cpSync(`${root}${writeCommittedArtifacts()}`, `${root}${folder}`, { recursive: true })
}

/**
 * Puts the code of a contract with changed sources there, compiled with less optimization.
 *
 * @throws Error if it does not compile
 */
export function placeChangedCode(
  folder: string,
  name: string,
  change: (path: string, source: string) => string,
): void {
  const entry = `contracts/${name}.sol`
  // Ownership's messages need more of the stack than the legacy pipeline has; nothing is optimized.
  const viaIR = name === 'Ownership'
  const settings = {
    remappings: ['@openzeppelin/=node_modules/@openzeppelin/'],
    evmVersion: 'cancun',
    optimizer: {
      enabled: true,
      runs: 200,
      ...(viaIR && { details: { yul: true, yulDetails: { optimizerSteps: ':' } } }),
    },
    viaIR,
    outputSelection: { [entry]: { [name]: ['evm.bytecode.object'] } },
  }
  const { contracts, errors } = askSolc(entry, settings, change)
  const object = contracts?.[entry]?.[name]?.evm.bytecode.object
  if (!object) throw new Error(`${name} does not compile: ${JSON.stringify(errors)}`)
  writeFileSync(
    `${root}${folder}/${name}.sol/${name}.json`,
    JSON.stringify({ bytecode: { object: `0x${object}` } }),
  )
}
