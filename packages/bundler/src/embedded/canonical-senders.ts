import {
  type AccountDeployment,
  type AccountPart,
  codeReads,
  computeAccountAddress,
  computeSignerAddress,
  decodeSignature,
  decodeSignerConfiguration,
  defaultDeployment,
  defaultVerifiers,
  encodeGetConfiguration,
  encodeInitCode,
  getSignerConfiguration,
  oneSignerRead,
  type PasskeyOwner,
  readInitCode,
  type SignedUserOperation,
} from '@lanyard/accounts'
import { memo } from '@lanyard/contracts'
import { multicall3, type Network } from '@lanyard/networks'
import {
  type Address,
  BaseError,
  decodeFunctionResult,
  encodeFunctionData,
  type Hex,
  isAddressEqual,
  multicall3Abi,
  prepareEncodeFunctionData,
  size,
  slice,
} from 'viem'
import { isAnswer, revertDataOf } from '../entry-point/simulate-handle-ops.ts'

/** What may differ in an account from what this service deploys. */
export type ExternalPart = AccountPart | 'signer' | 'initCode'

interface Read {
  readonly target: Address
  readonly callData: Hex
  /** The account is not what the service deploys unless the answer passes. */
  readonly part: ExternalPart
  readonly passes: (answer: Hex) => boolean
}

const isOneOf = (expected: readonly Hex[]) => (answer: Hex) => expected.includes(answer)

const aggregate3 = prepareEncodeFunctionData({ abi: multicall3Abi, functionName: 'aggregate3' })

/**
 * Finds the senders whose validation may run code that this service does not know: another singleton, fallback
 * handler, guard, module or signer contract than those that it deploys, or a deployment by anything else. Such code
 * can pass every simulation and loop a block later.
 *
 * This is one request at the head. In the same turn of the event loop as the simulation of a bundle, both are one
 * JSON-RPC batch. It is no part of the simulation itself, because its reads would leave slots warm there.
 *
 * @param blockNumber - default: the head
 * @returns by sender in lower case, the first part that is foreign
 */
export async function findExternalSenders(
  network: Network,
  operations: readonly SignedUserOperation[],
  blockNumber?: bigint,
): Promise<Map<string, ExternalPart>> {
  const found = await readExternalParts(network, operations, blockNumber)
  if (found.size === 0 || operations.length === 1) return found
  // Foreign code may have used up the gas for the reads of others.
  const alone = await Promise.all(
    operations.map((operation) => readExternalParts(network, [operation], blockNumber)),
  )
  return new Map(alone.flatMap((part) => [...part]))
}

/** Units of gas for the reads of one sender, which need a fifth of it. */
const gasOfReads = 300_000n

async function readExternalParts(
  network: Network,
  operations: readonly SignedUserOperation[],
  blockNumber: bigint | undefined,
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
  const answers = await readAll(network, all, { gas: gasOfReads * BigInt(operations.length), blockNumber })
  for (const [index, { sender, part, passes }] of all.entries()) {
    const { success, returnData } = answers[index] ?? {}
    if (!external.has(sender) && !(success && returnData && passes(returnData))) external.set(sender, part)
  }
  return external
}

/** @returns nothing if the reads ran out of gas */
async function readAll(
  network: Network,
  reads: readonly Read[],
  { gas, blockNumber }: { readonly gas: bigint; readonly blockNumber: bigint | undefined },
) {
  const data = encodeFunctionData({
    ...aggregate3,
    args: [reads.map(({ target, callData }) => ({ target, callData, allowFailure: true }))],
  })
  const at = blockNumber === undefined ? { blockTag: 'latest' as const } : { blockNumber }
  return await network.call(async (client) => {
    try {
      const answer = await client.call({ to: multicall3, data, gas, ...at })
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
  const code = codeReads([sessionKeys, ownership].filter((known) => known !== undefined)).map(
    ({ part, data, expected }) => ({ part, callData: data, passes: isOneOf(expected) }),
  )
  return {
    sessionKeys,
    deployments: [defaultDeployment, ...(ownership ? [{ ...defaultDeployment, ownership }] : [])],
    reads: (target) => code.map((read) => ({ target, ...read })),
  }
})

const bytesOfKeySignature = 65

const isOne = isOneOf(oneSignerRead.expected)

/**
 * What shows that a signature is checked by code that the service knows: an owner's key, SessionKeys, or the
 * contract of a passkey with the usual verifiers.
 */
function readsOfSigner({ sender, signature }: SignedUserOperation, { sessionKeys }: Expectations): Read[] {
  // Malformed signatures fail their simulation.
  if (size(signature) <= 12 + bytesOfKeySignature) return []
  const { signatures } = decodeSignature(signature)
  const part = 'signer' as const
  const threshold: Read = { target: sender, callData: oneSignerRead.data, part, passes: isOne }
  const kind = Number(slice(signatures, 64, 65))
  if (kind !== 0) return [threshold]
  const signer = slice(signatures, 12, 32)
  if (sessionKeys && isAddressEqual(signer, sessionKeys)) return [threshold]
  if (isAddressEqual(signer, defaultDeployment.sharedSigner)) {
    return [
      threshold,
      {
        target: signer,
        callData: encodeGetConfiguration(sender),
        part,
        passes: (answer) => decodeSignerConfiguration(answer)?.verifiers === defaultVerifiers,
      },
    ]
  }
  return [
    threshold,
    {
      target: signer,
      callData: getSignerConfiguration,
      part,
      // Any contract can claim a key, but only the factory's has the address that follows from it.
      passes: (answer) => isOwnSigner(signer, decodeSignerConfiguration(answer)),
    },
  ]
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
