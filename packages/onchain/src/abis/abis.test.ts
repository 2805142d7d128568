import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type Abi, toFunctionSignature } from 'viem'
import { formatAbiItem } from 'viem/utils'
import { expect, test } from 'vitest'
import * as onchain from '../index.ts'

/** The compiler artifacts to compare each hand-declared ABI with. */
const artifacts: [name: string, abi: Abi, path: string][] = [
  ['EntryPoint', onchain.entryPointAbi, '@account-abstraction/contracts/artifacts/EntryPoint.json'],
  ['Safe', onchain.safeAbi, safe('Safe')],
  ['SafeProxyFactory', onchain.safeProxyFactoryAbi, safe('proxies/SafeProxyFactory')],
  ['MultiSend', onchain.multiSendAbi, safe('libraries/MultiSend')],
  ['MultiSendCallOnly', onchain.multiSendAbi, safe('libraries/MultiSendCallOnly')],
  ['Safe4337Module', onchain.safe4337ModuleAbi, module('safe-4337', 'Safe4337Module')],
  ['SafeModuleSetup', onchain.safeModuleSetupAbi, module('safe-4337', 'SafeModuleSetup')],
  [
    'SafeWebAuthnSharedSigner',
    onchain.safeWebAuthnSharedSignerAbi,
    module('safe-passkey', '4337/SafeWebAuthnSharedSigner'),
  ],
  [
    'SafeWebAuthnSignerFactory',
    onchain.safeWebAuthnSignerFactoryAbi,
    module('safe-passkey', 'SafeWebAuthnSignerFactory'),
  ],
]

test.each(artifacts)('behavior: every item of %s is in its artifact', (_, abi, path) => {
  const artifact = readAbi(path)
  expect(artifact).toEqual(expect.arrayContaining(abi.map(essence)))
})

test('default: exports', () => {
  expect(Object.keys(onchain).sort()).toMatchSnapshot()
})

/** What determines encoding and decoding: kind, signature, indexed parameters, outputs, mutability. */
function essence(item: Abi[number]): unknown {
  if (item.type === 'constructor' || item.type === 'fallback' || item.type === 'receive') return item.type
  if (item.type === 'event')
    return ['event', formatAbiItem(item), item.inputs.map(({ indexed }) => indexed ?? false)]
  if (item.type === 'error') return ['error', formatAbiItem(item)]
  const outputs = formatAbiItem({ type: 'error', name: 'outputs', inputs: item.outputs })
  return ['function', toFunctionSignature(item), outputs, item.stateMutability]
}

function readAbi(path: string): unknown[] {
  const file = fileURLToPath(new URL(`../../node_modules/${path}`, import.meta.url))
  // A compiler artifact of the version pinned in package.json.
  return (JSON.parse(readFileSync(file, 'utf8')) as { abi: Abi }).abi.map(essence)
}

function safe(path: string): string {
  return module('safe-contracts', path)
}

function module(pkg: string, path: string): string {
  return `@safe-global/${pkg}/build/artifacts/contracts/${path}.sol/${path.split('/').at(-1)}.json`
}
