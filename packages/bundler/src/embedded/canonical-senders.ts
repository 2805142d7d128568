import {
  type AccountDeployment,
  type AccountOwner,
  computeAccountAddress,
  computeSignerAddress,
  decodeSignature,
  defaultDeployment,
  defaultVerifiers,
  encodeInitCode,
  type PasskeyOwner,
  type SignedUserOperation,
} from '@lanyard/accounts'
import { memo } from '@lanyard/contracts'
import { multicall3, type Network } from '@lanyard/networks'
import { safeAbi, safeProxyFactoryAbi, safeWebAuthnSharedSignerAbi } from '@lanyard/onchain'
import {
  type Address,
  BaseError,
  decodeFunctionData,
  decodeFunctionResult,
  encodeAbiParameters,
  encodeFunctionData,
  encodeFunctionResult,
  type Hex,
  hexToBigInt,
  isAddressEqual,
  multicall3Abi,
  prepareEncodeFunctionData,
  size,
  slice,
  toFunctionSelector,
} from 'viem'
import { isAnswer, revertDataOf } from '../entry-point/simulate-handle-ops.ts'

/** What may differ in an account from what this service deploys. */
export type ExternalPart = 'singleton' | 'handler' | 'guard' | 'modules' | 'signer' | 'initCode'

/** Storage slots of Safe 1.4.1: keccak256 of `fallback_manager.handler.address` and `guard_manager.guard.address`. */
const handlerSlot = 0x6c9a6c4a39284e37ed1cf53d337577d14212a4870fb976a4366c693b939918d5n
const guardSlot = 0x4a204f620c8c5ccdca3fd54d003badd85ba500436a431f0cbda4f558c93c34c8n
/** Of Safe 1.5.0, `module_manager.module_guard.address`: a guard of what modules do, such as ERC-4337's. */
const moduleGuardSlot = 0xb104e0b93118902c651344349b610029d694cfdec91c589c91ebafbcd0289947n

/** The end of a Safe's list of modules. */
const sentinel: Address = '0x0000000000000000000000000000000000000001'

const getStorageAt = (slot: bigint): Hex =>
  encodeFunctionData({ abi: safeAbi, functionName: 'getStorageAt', args: [slot, 1n] })

/** The same for every account, so they are encoded once. */
const reads = {
  // SafeProxy answers this itself from slot 0, whatever its singleton is.
  singleton: toFunctionSelector('masterCopy()'),
  handler: getStorageAt(handlerSlot),
  guard: getStorageAt(guardSlot),
  moduleGuard: getStorageAt(moduleGuardSlot),
  modules: encodeFunctionData({ abi: safeAbi, functionName: 'getModulesPaginated', args: [sentinel, 10n] }),
  threshold: encodeFunctionData({ abi: safeAbi, functionName: 'getThreshold' }),
  // SafeWebAuthnSignerSingleton
  configuration: toFunctionSelector('getConfiguration()'),
} as const

const word = (value: Address | bigint): Hex =>
  encodeAbiParameters([{ type: 'uint256' }], [typeof value === 'bigint' ? value : hexToBigInt(value)])
const storedWord = (value: Address | bigint): Hex => encodeAbiParameters([{ type: 'bytes' }], [word(value)])
const moduleList = (modules: readonly Address[]): Hex =>
  encodeFunctionResult({ abi: safeAbi, functionName: 'getModulesPaginated', result: [modules, sentinel] })

interface Read {
  readonly target: Address
  readonly callData: Hex
  /** The account is not what the service deploys unless the answer passes. */
  readonly part: ExternalPart
  readonly passes: (answer: Hex) => boolean
}

const isOneOf =
  (...expected: readonly Hex[]) =>
  (answer: Hex) =>
    expected.includes(answer)

const aggregate3 = prepareEncodeFunctionData({ abi: multicall3Abi, functionName: 'aggregate3' })

/**
 * Finds the senders whose validation may run code that this service does not know: another singleton, fallback
 * handler, guard, module or signer contract than those that it deploys, or a deployment by anything else. Such code
 * can pass every simulation and loop a block later.
 *
 * An account's address shows that it is a SafeProxy: it is derived from the factory's code and the first owner. So
 * the proxy's own answer for its singleton can be accepted, and with a known singleton all others.
 *
 * This is one request at the head. In the same turn of the event loop as the simulation of a bundle, both are one
 * JSON-RPC batch. It is no part of the simulation itself, because its reads would leave slots warm there.
 *
 * @returns by sender in lower case, the first part that is foreign
 */
export async function findExternalSenders(
  network: Network,
  operations: readonly SignedUserOperation[],
): Promise<Map<string, ExternalPart>> {
  const found = await readExternalParts(network, operations)
  if (found.size === 0 || operations.length === 1) return found
  // Foreign code may have used up the gas for the reads of others.
  const alone = await Promise.all(operations.map((operation) => readExternalParts(network, [operation])))
  return new Map(alone.flatMap((part) => [...part]))
}

/** Units of gas for the reads of one sender, which need a fifth of it. */
const gasOfReads = 300_000n

async function readExternalParts(
  network: Network,
  operations: readonly SignedUserOperation[],
): Promise<Map<string, ExternalPart>> {
  const expected = expectationsOf(network.config)
  const external = new Map<string, ExternalPart>()
  const all = operations.flatMap((operation) => {
    const sender = operation.sender.toLowerCase()
    if (operation.initCode !== '0x') {
      if (!isOwnDeployment(operation, expected)) external.set(sender, 'initCode')
      return []
    }
    const signer = readsOfSigner(operation, expected)
    return [...expected.reads(operation.sender), ...signer].map((read) => ({ ...read, sender }))
  })
  if (all.length === 0) return external
  const answers = await readAll(network, all, gasOfReads * BigInt(operations.length))
  for (const [index, { sender, part, passes }] of all.entries()) {
    const { success, returnData } = answers[index] ?? {}
    if (!external.has(sender) && !(success && returnData && passes(returnData))) external.set(sender, part)
  }
  return external
}

/** @returns nothing if the reads ran out of gas */
async function readAll(network: Network, reads: readonly Read[], gas: bigint) {
  const data = encodeFunctionData({
    ...aggregate3,
    args: [reads.map(({ target, callData }) => ({ target, callData, allowFailure: true }))],
  })
  return await network.call(async (client) => {
    try {
      const answer = await client.call({ to: multicall3, data, gas, blockTag: 'latest' })
      return decodeFunctionResult({ abi: aggregate3.abi, data: answer.data ?? '0x' })
    } catch (error) {
      if (revertDataOf(error) === undefined && !isOutOfGas(error)) throw error
      return []
    }
  })
}

/** geth: "out of gas"; anvil: "EVM error OutOfGas"; both as a response of the node. */
const isOutOfGas = (error: unknown) =>
  isAnswer(error) && error instanceof BaseError && /out ?of ?gas/i.test(`${error.message} ${error.details}`)

interface Expectations {
  readonly sessionKeys: Address | undefined
  /** With which the service deploys accounts: without a module, and with Ownership. */
  readonly deployments: readonly AccountDeployment[]
  readonly reads: (sender: Address) => Read[]
}

const expectationsOf = memo(({ sessionKeys, ownership }: Network['config']): Expectations => {
  const { singleton, module } = defaultDeployment
  const isSingleton = isOneOf(word(singleton))
  const isHandler = isOneOf(storedWord(module))
  const isNoGuard = isOneOf(storedWord(0n))
  const isModules = isOneOf(
    // The newest module comes first; an account that enabled one again has them in another order.
    ...ordersWith(
      [module],
      [sessionKeys, ownership].filter((known) => known !== undefined),
    ).map(moduleList),
  )
  return {
    sessionKeys,
    deployments: [defaultDeployment, ...(ownership ? [{ ...defaultDeployment, ownership }] : [])],
    reads: (target) => [
      { target, callData: reads.singleton, part: 'singleton', passes: isSingleton },
      { target, callData: reads.handler, part: 'handler', passes: isHandler },
      { target, callData: reads.guard, part: 'guard', passes: isNoGuard },
      { target, callData: reads.moduleGuard, part: 'guard', passes: isNoGuard },
      { target, callData: reads.modules, part: 'modules', passes: isModules },
    ],
  }
})

/** The lists that consist of `first` and any of `more`, in every order. */
function ordersWith(first: readonly Address[], more: readonly Address[]): readonly (readonly Address[])[] {
  const longer = more.flatMap((one, index) => {
    const others = more.toSpliced(index, 1)
    return [...first.keys(), first.length].flatMap((place) =>
      ordersWith(first.toSpliced(place, 0, one), others),
    )
  })
  return [first, ...longer]
}

const bytesOfKeySignature = 65

const isOne = isOneOf(word(1n))

/**
 * What shows that a signature is checked by code that the service knows: an owner's key, SessionKeys, or the
 * contract of a passkey with the usual verifiers.
 *
 * A Safe reads as many signatures as its threshold says. With a threshold of 1 it asks only the first signer.
 */
function readsOfSigner({ sender, signature }: SignedUserOperation, { sessionKeys }: Expectations): Read[] {
  // Malformed signatures fail their simulation.
  if (size(signature) <= 12 + bytesOfKeySignature) return []
  const { signatures } = decodeSignature(signature)
  const part = 'signer' as const
  const threshold: Read = { target: sender, callData: reads.threshold, part, passes: isOne }
  const kind = Number(slice(signatures, 64, 65))
  if (kind !== 0) return [threshold]
  const signer = slice(signatures, 12, 32)
  if (sessionKeys && isAddressEqual(signer, sessionKeys)) return [threshold]
  if (isAddressEqual(signer, defaultDeployment.sharedSigner)) {
    return [
      threshold,
      {
        target: signer,
        callData: encodeFunctionData({ ...getSharedConfiguration, args: [sender] }),
        part,
        passes: (answer) => passkeyOf(answer)?.verifiers === defaultVerifiers,
      },
    ]
  }
  return [
    threshold,
    {
      target: signer,
      callData: reads.configuration,
      part,
      // Any contract can claim a key, but only the factory's has the address that follows from it.
      passes: (answer) => isOwnSigner(signer, passkeyOf(answer)),
    },
  ]
}

const getSharedConfiguration = prepareEncodeFunctionData({
  abi: safeWebAuthnSharedSignerAbi,
  functionName: 'getConfiguration',
})

/** x, y and verifiers, a word each. */
function passkeyOf(answer: Hex): Omit<PasskeyOwner, 'kind'> | undefined {
  if (size(answer) !== 96) return undefined
  const [x, y, verifiers] = [0, 32, 64].map((at) => hexToBigInt(slice(answer, at, at + 32))) as [
    bigint,
    bigint,
    bigint,
  ]
  return { x, y, verifiers }
}

function isOwnSigner(signer: Address, passkey: Omit<PasskeyOwner, 'kind'> | undefined): boolean {
  if (passkey?.verifiers !== defaultVerifiers) return false
  try {
    return isAddressEqual(computeSignerAddress(passkey), signer)
  } catch {
    return false // not a point of P-256
  }
}

/**
 * Whether the factory's call, the initializer and the signer are those with which this service deploys the sender:
 * all three run in the validation.
 */
function isOwnDeployment(
  { initCode, sender, signature }: SignedUserOperation,
  { deployments }: Expectations,
): boolean {
  const owner = readInitCode(initCode)
  if (!owner) return false
  const deployment = deployments.find(
    (own) => encodeInitCode(owner, own).toLowerCase() === initCode.toLowerCase(),
  )
  if (!deployment || !isAddressEqual(computeAccountAddress(owner, deployment), sender)) return false
  if (size(signature) <= 12 + bytesOfKeySignature) return true
  return owner.kind === 'passkey' && owner.verifiers === defaultVerifiers
}

/** The owner that an init code seems to name; undefined if it has another form. */
function readInitCode(initCode: Hex): AccountOwner | undefined {
  try {
    const create = decodeFunctionData({ abi: safeProxyFactoryAbi, data: slice(initCode, 20) })
    if (create.functionName !== 'createProxyWithNonce') return undefined
    const setup = decodeFunctionData({ abi: safeAbi, data: create.args[1] })
    if (setup.functionName !== 'setup') return undefined
    const [[owner], , , data] = setup.args
    if (owner === undefined) return undefined
    if (!isAddressEqual(owner, defaultDeployment.sharedSigner)) return { kind: 'eoa', address: owner }
    const passkey = passkeyOf(`0x${data.split(configureSelector)[1]?.slice(0, 96 * 2)}`)
    return passkey && { kind: 'passkey', ...passkey }
  } catch {
    return undefined
  }
}

/** Without 0x. */
const configureSelector = toFunctionSelector('configure((uint256,uint256,uint176))').slice(2)
