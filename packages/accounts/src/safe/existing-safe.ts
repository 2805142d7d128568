import { safeAbi } from '@lanyard/onchain'
import {
  type Address,
  decodeFunctionResult,
  encodeFunctionData,
  getAddress,
  type Hex,
  isAddressEqual,
  keccak256,
  slice,
  zeroAddress,
} from 'viem'
import type { Call } from '../call.ts'
import { type AccountDeployment, defaultDeployment } from './deployment.ts'
import { encodeEnableModule, encodeSetHandler } from './owners.ts'
import { guardSlot, handlerSlot, moduleGuardSlot, sentinel } from './reads.ts'

/**
 * Runtime code of Safe's proxies: it forwards everything to the singleton in slot 0, and no call changes it. Hashes of
 * `deployedBytecode` in @gnosis.pm/safe-contracts@1.3.0 (GnosisSafeProxy), @safe-global/safe-contracts@1.4.1 and
 * @safe-global/safe-smart-account@1.5.0 (SafeProxy). An account that was upgraded keeps the proxy that it was made with.
 */
const proxyCodeHashes: readonly Hex[] = [
  '0xb89c1b3bdf2cf8827818646bce9a8f6e372885f8c55e5c07acbd307cb133b000', // 1.3.0
  '0xd7d408ebcd99b2b70be43e20253d6d92a8ea8fab29bd3be7f55b10032331fb4c', // 1.4.1
  '0x4e381985ca68b3e5d27b4425fa581c19cf33146d3f887a3cfca96f55528ea46f', // 1.5.0
]

/** Canonical singletons of github.com/safe-global/safe-deployments, by version. */
const singletons: Readonly<Record<string, readonly Address[]>> = {
  '1.3.0': [
    '0xd9Db270c1B5E3Bd161E8c8503c55cEABeE709552',
    '0x69f4D1788e39c87893C980c06EdF4b7f686e2938',
    '0x3E5c63644E683549055b9Be8653de26E0B4CD36E', // L2
    '0xfb1bffC9d739B8D520DaF37dF666da4C687191EA', // L2
  ],
  '1.4.1': [
    defaultDeployment.singleton,
    '0x29fcB43b46531BcA003ddC8FCB67FFE91900C762', // L2
  ],
  '1.5.0': [
    '0xFf51A5898e281Db6DfC7855790607438dF2ca44b',
    '0xEdd160fEBBD92E350D4D398fb636302fccd67C7e', // L2
  ],
}

const supportedVersions = ['1.4.1', '1.5.0'] as const

/** The singletons with which accounts may be used here. */
export const supportedSingletons: readonly Address[] = supportedVersions.flatMap(
  (version) => singletons[version] ?? [],
)

/** Fallback handlers whose functions Safe4337Module has as well, so that it can take their place. */
const replaceableHandlers: readonly Address[] = [
  zeroAddress,
  '0xf48f2B2d2a534e402487b3ee7C18c33Aec0Fe5e4', // CompatibilityFallbackHandler 1.3.0
  '0x017062a1dE2FE6b99BE3d9d37841FeD19F573804', // the same, of networks with EIP-155 deployments
  '0xfd0732Dc9E303f09fCEf3a7388Ad10A83459Ec99', // 1.4.1
  '0x3EfCBb83A4A7AfcB4F68D501E2c2203a38be77f4', // 1.5.0
]

/** Contracts that people have in their Safes, of safe-deployments and safe-modules-deployments. */
const names: Readonly<Record<Address, string>> = {
  '0x85a8ca358D388530ad0fB95D0cb89Dd44Fc242c3': 'ExtensibleFallbackHandler 1.5.0',
  '0x54e86d004d71a8D2112ec75FaCE57D730b0433F3': 'TokenCallbackHandler 1.5.0',
  '0xa581c4A4DB7175302464fF3C06380BC3270b4037': 'Safe4337Module 0.2.0, of EntryPoint v0.6',
  '0xCFbFaC74C26F8647cBDb8c5caf80BB5b32E43134': 'AllowanceModule 0.1.0',
  '0x1Fb403834C911eB98d56E74F5182b0d64C3b3b4D': 'AllowanceModule 0.1.0',
  '0xAA46724893dedD72658219405185Fb0Fc91e091C': 'AllowanceModule 0.1.1',
  '0x4Aa5Bf7D840aC607cb5BD3249e6Af6FC86C04897': 'SocialRecoveryModule 0.1.0',
}

const named = (address: Address): string => {
  const name = names[getAddress(address)]
  return name ? `${address} (${name})` : address
}

/** Owners of one account. Each is checked on every network. */
const maxOwners = 16

const getStorageAt = (slot: bigint) =>
  encodeFunctionData({ abi: safeAbi, functionName: 'getStorageAt', args: [slot, 1n] })

/** What a Safe answers of itself, in the order of {@link readSafeState}'s answers. */
export const safeStateReads: readonly Hex[] = [
  encodeFunctionData({ abi: safeAbi, functionName: 'getOwners' }),
  encodeFunctionData({ abi: safeAbi, functionName: 'getThreshold' }),
  encodeFunctionData({ abi: safeAbi, functionName: 'getModulesPaginated', args: [sentinel, 100n] }),
  getStorageAt(handlerSlot),
  getStorageAt(guardSlot),
  getStorageAt(moduleGuardSlot),
  encodeFunctionData({ abi: safeAbi, functionName: 'nonce' }),
]

/** An account of Safe's contracts on one network. */
export interface SafeState {
  readonly singleton: Address
  readonly version: string
  readonly owners: readonly Address[]
  readonly threshold: bigint
  readonly modules: readonly Address[]
  readonly handler: Address
  readonly guard: Address
  /** Of Safe 1.5.0: asked about what modules do. */
  readonly moduleGuard: Address
  /** The account's own counter, not EntryPoint's. */
  readonly nonce: bigint
}

/** Why an account cannot be used here. */
export interface SafeProblem {
  readonly part: 'code' | 'singleton' | 'owners' | 'threshold' | 'module' | 'handler' | 'guard'
  /** The contract that is in the way, if there is one. */
  readonly address?: Address
  /** A sentence that names it, and what to do. */
  readonly message: string
}

/** What an address holds, as far as it matters here. */
export type SafeInspection =
  | { readonly kind: 'absent' }
  | { readonly kind: 'ready'; readonly state: SafeState }
  /** It lacks the module for ERC-4337: {@link encodeEnabling} adds what is missing. */
  | { readonly kind: 'incomplete'; readonly state: SafeState }
  | {
      readonly kind: 'unsupported'
      readonly problems: readonly SafeProblem[]
      /** Undefined if its answers say nothing: they are not those of Safe's contracts. */
      readonly state: SafeState | undefined
    }

const wordToAddress = (answer: Hex): Address => getAddress(slice(answer, -20))

/** The version of a singleton of Safe's; undefined for all others. */
const versionOf = (singleton: Address): string | undefined =>
  Object.entries(singletons).find(([, all]) => all.some((one) => isAddressEqual(one, singleton)))?.[0]

/** @returns undefined if the answers are not those of a Safe */
function readSafeState(
  singleton: Address,
  version: string,
  answers: readonly (Hex | undefined)[],
): SafeState | undefined {
  const [ownerList, threshold, moduleList, handler, guard, moduleGuard, nonce] = answers
  const abi = safeAbi
  try {
    const [modules, next] = decodeFunctionResult({
      abi,
      functionName: 'getModulesPaginated',
      data: moduleList ?? '0x',
    })
    const stored = (answer: Hex | undefined) =>
      wordToAddress(decodeFunctionResult({ abi, functionName: 'getStorageAt', data: answer ?? '0x' }))
    return {
      singleton,
      version,
      owners: decodeFunctionResult({ abi, functionName: 'getOwners', data: ownerList ?? '0x' }),
      threshold: decodeFunctionResult({ abi, functionName: 'getThreshold', data: threshold ?? '0x' }),
      // A list that does not end is shown by where it goes on, which is a module, too.
      modules: isAddressEqual(next, sentinel) || next === zeroAddress ? modules : [...modules, next],
      handler: stored(handler),
      guard: stored(guard),
      moduleGuard: stored(moduleGuard),
      nonce: decodeFunctionResult({ abi, functionName: 'nonce', data: nonce ?? '0x' }),
    }
  } catch {
    return undefined // viem throws on answers that do not decode
  }
}

/** What an address holds on one network. */
export interface ExistingSafe {
  /** The code of the address; undefined: none. */
  readonly code: Hex | undefined
  /** The word in slot 0 of its storage, where a proxy of Safe's keeps its singleton. */
  readonly slot0: Hex | undefined
  /** Answers to {@link safeStateReads}; undefined where one reverted. Only asked if {@link isKnownSafe}. */
  readonly answers: readonly (Hex | undefined)[]
}

/** Whether an address runs only code of Safe's, so that asking it runs none that its owner has chosen. */
export const isKnownSafe = ({ code, slot0 }: Pick<ExistingSafe, 'code' | 'slot0'>): boolean =>
  isSafeProxy(code) && slot0 !== undefined && versionOf(wordToAddress(slot0)) !== undefined

/**
 * Judges an existing Safe of any maker: whether it can be used here, on one network.
 *
 * @param modules - the modules that accounts may have on this network, besides Safe4337Module
 * @param deployment - names Safe4337Module
 */
export function inspectSafe(
  { code, slot0, answers }: ExistingSafe,
  modules: readonly Address[],
  { module }: Pick<AccountDeployment, 'module'> = defaultDeployment,
): SafeInspection {
  if (code === undefined || code === '0x') return { kind: 'absent' }
  const reject = (problems: readonly SafeProblem[], state?: SafeState) =>
    ({ kind: 'unsupported', problems, state }) as const
  if (!isSafeProxy(code) || slot0 === undefined)
    return reject([
      { part: 'code', message: 'The contract at this address is no proxy of Safe 1.3.0, 1.4.1 or 1.5.0.' },
    ])
  const singleton = wordToAddress(slot0)
  const version = versionOf(singleton)
  const state = version === undefined ? undefined : readSafeState(singleton, version, answers)
  if (!state)
    return reject([
      {
        part: 'singleton',
        address: singleton,
        message: `The account runs the code of ${singleton}. Only the canonical contracts of Safe 1.4.1 and 1.5.0 are supported.`,
      },
    ])
  const problems = problemsOf(state, [module, ...modules], module)
  if (problems.length > 0) return reject(problems, state)
  const isEnabled = state.modules.some((one) => isAddressEqual(one, module))
  return isEnabled && isAddressEqual(state.handler, module)
    ? { kind: 'ready', state }
    : { kind: 'incomplete', state }
}

function problemsOf(
  { singleton, version, owners, threshold, modules, handler, guard, moduleGuard }: SafeState,
  known: readonly Address[],
  module: Address,
): SafeProblem[] {
  const isKnown = (address: Address, among: readonly Address[]) =>
    among.some((one) => isAddressEqual(one, address))
  const problems: SafeProblem[] = []
  if (!isKnown(singleton, supportedSingletons))
    problems.push({
      part: 'singleton',
      address: singleton,
      message: `Safe ${version} does not work with the module for ERC-4337, which needs 1.4.1 or 1.5.0. Upgrade the account with Safe's SafeMigration first.`,
    })
  if (threshold !== 1n)
    problems.push({
      part: 'threshold',
      message: `${threshold} owners have to sign together. Only accounts whose owners can act alone (threshold 1) are supported.`,
    })
  if (owners.length > maxOwners)
    problems.push({
      part: 'owners',
      message: `The account has ${owners.length} owners. At most ${maxOwners} are supported.`,
    })
  for (const one of modules) {
    if (isKnown(one, known)) continue
    problems.push({
      part: 'module',
      address: one,
      message: `The module ${named(one)} can act for the account and is not on the list of this service. Disable it first.`,
    })
  }
  if (!isAddressEqual(handler, module) && !isKnown(handler, replaceableHandlers))
    problems.push({
      part: 'handler',
      address: handler,
      message: `The fallback handler ${named(handler)} is not on the list of this service, and its functions would be lost. Replace it first.`,
    })
  for (const one of [guard, moduleGuard]) {
    if (one === zeroAddress) continue
    problems.push({
      part: 'guard',
      address: one,
      message: `The guard ${named(one)} can refuse what the account does. Remove it first.`,
    })
  }
  return problems
}

/** Whether code is that of a proxy of Safe's, which can never become another one. */
export const isSafeProxy = (code: Hex | undefined): boolean =>
  code !== undefined && proxyCodeHashes.includes(keccak256(code))

/**
 * The account's calls to itself that add what it lacks for ERC-4337: Safe4337Module as a module, and as the fallback handler.
 * `toSafeTransaction` joins them.
 */
export function encodeEnabling(
  account: Address,
  { modules, handler }: Pick<SafeState, 'modules' | 'handler'>,
  { module }: Pick<AccountDeployment, 'module'> = defaultDeployment,
): readonly Call[] {
  return [
    ...(modules.some((one) => isAddressEqual(one, module)) ? [] : [encodeEnableModule({ account, module })]),
    ...(isAddressEqual(handler, module) ? [] : [encodeSetHandler({ account, handler: module })]),
  ]
}
