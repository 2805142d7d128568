import {
  getUserOperationHash,
  isDelegationInitCode,
  type SignedUserOperation,
  type UserOperation,
  unpackUserOperation,
} from '@lanyard/accounts'
import { LanyardError } from '@lanyard/contracts'
import type { Network } from '@lanyard/networks'
import { type Address, type Hex, numberToHex, type StateOverride } from 'viem'
import { formatUserOperationRequest } from 'viem/account-abstraction'
import { z } from 'zod'
import type { Bundler, EstimateRequest, GasEstimate } from '../bundler.ts'
import { withAuthorization } from '../eip7702/authorization.ts'
import { assertKnownEntryPoint } from '../embedded/assert-admissible.ts'
import { entryPointOf, hasLanded, insufficientFunds } from '../entry-point/entry-point.ts'
import { estimateBySimulation } from '../simulation/estimate-by-simulation.ts'
import { type BundlerRpc, BundlerRpcError, createBundlerRpc } from './bundler-rpc.ts'
import { readRejection } from './to-rejection.ts'

/** An operation in the JSON of ERC-7769, with `eip7702Auth`, and the factory that it names then: 0x7702. */
export function toRequest(operation: UserOperation | SignedUserOperation): object {
  const request = formatUserOperationRequest(unpackUserOperation(operation))
  return isDelegationInitCode(operation.initCode) ? { ...request, factory: '0x7702' } : request
}

/** No chain gives an operation more gas; a larger figure is an error of the bundler. Units of gas. */
const absurdGas = 2n ** 40n

/** Gas as a hex quantity; some bundlers write a number. */
const gas = z
  .union([z.string().regex(/^0x[0-9a-fA-F]{1,64}$/, 'Expected a hex quantity'), z.int().nonnegative()])
  .transform((quantity) => BigInt(quantity))
  .refine((quantity) => quantity < absurdGas, 'More gas than any chain allows')

/** `eth_estimateUserOperationGas` (ERC-7769). */
const gasEstimateAnswer = z.object({
  preVerificationGas: gas,
  verificationGasLimit: gas,
  callGasLimit: gas,
  paymasterVerificationGasLimit: gas.nullish(),
  paymasterPostOpGasLimit: gas.nullish(),
})

/** `eth_sendUserOperation`: the operation's hash. */
const userOpHashAnswer = z
  .string()
  .regex(/^0x[0-9a-fA-F]{64}$/, 'Expected 32 bytes')
  .transform((hash) => hash.toLowerCase())

/** `eth_getUserOperationByHash`: null if the bundler has never had the operation. */
const userOperationAnswer = z.looseObject({}).nullable()

const chainIdAnswer = z
  .string()
  .regex(/^0x[0-9a-fA-F]{1,13}$/, 'Expected a hex quantity')
  .transform(Number)

const entryPointsAnswer = z.array(z.string())

interface RemoteContext {
  readonly network: Network
  readonly rpc: BundlerRpc
}

type RemoteEstimate = z.output<typeof gasEstimateAnswer>

/**
 * Gas limits from the bundler and from our own simulation, whichever is larger.
 *
 * Both run concurrently. The simulation reports what the calls do and why an operation cannot validate, in
 * the same words on every network. It also finds enough verification gas when a bundler mistakes "out of gas"
 * for "bad signature". The bundler knows the preVerificationGas that it requires (data fees of rollups). If
 * the bundler cannot estimate because the calls revert, only the simulation is used.
 */
async function estimateRemotely(context: RemoteContext, request: EstimateRequest): Promise<GasEstimate> {
  const requested = askBundler(context, request).then(
    (remote) => ({ remote }),
    (error: unknown) => ({ error }),
  )
  const own = await estimateBySimulation(context.network, request)
  const answer = await requested
  if ('remote' in answer) return larger(own, answer.remote)
  if (answer.error instanceof BundlerRpcError) {
    if (!own.execution.success) return own
    const rejected = readRejection(answer.error)
    // The bundler already has the operation. Its estimate is not needed, and this is not an error.
    if (rejected.kind === 'known') return own
    throw rejected.error
  }
  throw answer.error
}

/** Balance and code overrides are the third parameter, as in eth_call; not every bundler accepts one. */
async function askBundler(
  { network, rpc }: RemoteContext,
  request: EstimateRequest,
): Promise<RemoteEstimate> {
  const operation = await withAuthorization(network, request.operation)
  const params = [toRequest(operation), entryPointOf(network, operation)]
  const override = formatOverride([
    { address: operation.sender, balance: simulatedBalance },
    ...(request.stateOverride ?? []),
  ])
  try {
    return await rpc('eth_estimateUserOperationGas', [...params, override], gasEstimateAnswer)
  } catch (error) {
    if (!(error instanceof BundlerRpcError) || error.code !== invalidParams) throw error
    return await rpc('eth_estimateUserOperationGas', params, gasEstimateAnswer)
  }
}

/** JSON-RPC 2.0 */
const invalidParams = -32602

/** wei */
const simulatedBalance = 10n ** 24n

/** viem's state override in JSON-RPC form (geth's state override set). */
function formatOverride(override: StateOverride): Record<Address, Record<string, unknown>> {
  const entries = override.map(({ address, balance, code, stateDiff }) => [
    address,
    {
      ...(balance === undefined ? {} : { balance: numberToHex(balance) }),
      ...(code === undefined ? {} : { code }),
      ...(stateDiff === undefined
        ? {}
        : { stateDiff: Object.fromEntries(stateDiff.map(({ slot, value }) => [slot, value])) }),
    },
  ])
  return Object.fromEntries(entries)
}

const greater = (a: bigint, b: bigint | null | undefined) => (b !== null && b !== undefined && b > a ? b : a)

function larger(own: GasEstimate, remote: RemoteEstimate): GasEstimate {
  const { paymasterVerificationGasLimit, paymasterPostOpGasLimit } = own
  return {
    ...own,
    callGasLimit: greater(own.callGasLimit, remote.callGasLimit),
    verificationGasLimit: greater(own.verificationGasLimit, remote.verificationGasLimit),
    preVerificationGas: greater(own.preVerificationGas, remote.preVerificationGas),
    ...(paymasterVerificationGasLimit === undefined
      ? {}
      : {
          paymasterVerificationGasLimit: greater(
            paymasterVerificationGasLimit,
            remote.paymasterVerificationGasLimit,
          ),
        }),
    ...(paymasterPostOpGasLimit === undefined
      ? {}
      : { paymasterPostOpGasLimit: greater(paymasterPostOpGasLimit, remote.paymasterPostOpGasLimit) }),
  }
}

/** A third-party bundler, called by the JSON-RPC of ERC-7769. */
export function createRemoteBundler(network: Network, url: string): Bundler {
  const { entryPoint, rpcTimeout } = network.config
  const rpc = checkedRpc(network, createBundlerRpc(url, rpcTimeout))
  return {
    entryPoint,
    estimate: (request) => estimateRemotely({ network, rpc }, request),
    deliver: (operation) => deliver(network, rpc, operation),
    drive: async () => {},
  }
}

async function deliver(network: Network, rpc: BundlerRpc, operation: SignedUserOperation): Promise<void> {
  assertKnownEntryPoint(network, operation)
  const entryPoint = entryPointOf(network, operation)
  const hash = getUserOperationHash(operation, { chainId: network.chainId, entryPoint })
  try {
    const answered = await rpc('eth_sendUserOperation', [toRequest(operation), entryPoint], userOpHashAnswer)
    if (answered !== hash) {
      throw new LanyardError('BUNDLER_FAILED', {
        message:
          'The bundler accepted the operation under another hash: it serves another chain or entry point.',
      })
    }
  } catch (error) {
    if (!(error instanceof BundlerRpcError)) throw error
    const rejected = readRejection(error)
    if (rejected.kind === 'known') return
    if (rejected.kind === 'nonce' && (await isTaken(network, rpc, operation, hash))) return
    if (rejected.kind === 'funds') throw await insufficientFunds(network, operation)
    throw rejected.error
  }
}

/** Whether the bundler or the chain has this very operation. */
async function isTaken(
  network: Network,
  rpc: BundlerRpc,
  operation: SignedUserOperation,
  hash: Hex,
): Promise<boolean> {
  if (await hasLanded(network, operation, hash)) return true
  try {
    return (await rpc('eth_getUserOperationByHash', [hash], userOperationAnswer)) !== null
  } catch (error) {
    if (error instanceof BundlerRpcError) return false
    throw error
  }
}

/**
 * Before the first call, checks that the bundler serves this chain and its first entry point. Repeats the check
 * until it succeeds.
 */
function checkedRpc(network: Network, rpc: BundlerRpc): BundlerRpc {
  let checked: Promise<void> | undefined
  return async (method, params, answer) => {
    checked ??= check(network, rpc).catch((error: unknown) => {
      checked = undefined
      throw error
    })
    await checked
    return await rpc(method, params, answer)
  }
}

async function check(network: Network, rpc: BundlerRpc): Promise<void> {
  try {
    const [chainId, entryPoints] = await Promise.all([
      rpc('eth_chainId', [], chainIdAnswer),
      rpc('eth_supportedEntryPoints', [], entryPointsAnswer),
    ])
    if (chainId !== network.chainId) throw misconfigured(network, `serves chain ${chainId}`)
    // A bundler without the EntryPoint of delegated EOAs serves the other accounts, and refuses theirs itself.
    const { entryPoint } = network.config
    if (!entryPoints.some((address) => address.toLowerCase() === entryPoint.toLowerCase()))
      throw misconfigured(network, `does not serve the entry point ${entryPoint}`)
  } catch (error) {
    if (!(error instanceof BundlerRpcError)) throw error
    throw new LanyardError('BUNDLER_FAILED', { cause: error })
  }
}

const misconfigured = ({ config }: Network, how: string) =>
  new LanyardError('BUNDLER_FAILED', { message: `The bundler configured for ${config.name} ${how}.` })
