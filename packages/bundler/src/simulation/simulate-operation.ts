import { packUserOperation, type SignedUserOperation } from '@lanyard/accounts'
import { LanyardError } from '@lanyard/contracts'
import { boundedGasFor, type Network, rejectionIn } from '@lanyard/networks'
import {
  entryPointCodeAddress,
  operationSimulatorAbi,
  operationSimulatorDeployedBytecode,
} from '@lanyard/onchain'
import {
  type Address,
  BaseError,
  concat,
  decodeFunctionResult,
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  isAddressEqual,
  keccak256,
  numberToHex,
  prepareEncodeFunctionData,
  type StateOverride,
  zeroHash,
} from 'viem'
import { decodeRevert } from '../decode-revert.ts'
import { codeOfSender, withoutMarker } from '../eip7702/authorization.ts'
import { entryPointOf } from '../entry-point/entry-point.ts'
import { findAaCode, rejection } from '../entry-point/handle-ops-failure.ts'
import { isAnswer, revertDataOf } from '../entry-point/simulate-handle-ops.ts'

export interface SimulateOperationRequest {
  readonly network: Network
  readonly operation: SignedUserOperation
  readonly stateOverride: StateOverride
  /** The `tx.origin` of the simulation. */
  readonly origin?: Address
  /** Fees of the transaction; without them, the operation sees a gas price of 0. */
  readonly fees?: Pick<SignedUserOperation, 'maxFeePerGas' | 'maxPriorityFeePerGas'> | undefined
  /** Who produces the block. Ignored by nodes without block overrides. */
  readonly coinbase?: Address
  /** Not tried with little gas first. */
  readonly isCostly?: boolean
  /** What EntryPoint reserves and tells the paymaster to have cost, wei. Default: see {@link simulatedPrefund}. */
  readonly prefund?: bigint
}

/** `OperationSimulator.Result`: the gas that each phase of the operation needs, in units of gas. */
export type OperationSimulation = ReturnType<typeof decodeSimulation>

/** Maximum gas of any phase: the maximum of a transaction (EIP-7825). */
const gasCap = 2n ** 24n

/** The sender's balance during the simulation, so that an account without funds can be estimated. wei */
const simulatedBalance = 10n ** 27n

/** Thrown if a node reports that a phase needs more gas than the simulator ever gives to one. */
class AbsurdGasError extends BaseError {
  override readonly name = 'AbsurdGasError'
  constructor(gas: bigint) {
    super(`The simulation answered with ${gas} gas, but a phase has at most ${gasCap}`)
  }
}

/**
 * Runs an operation phase by phase in one eth_call, with EntryPoint's code overridden by
 * OperationSimulator's. A node that ignores overrides is told apart from an operation that fails.
 *
 * The node gets little gas to run with first, which most operations need, and takes such simulations at once. Only a result
 * that more gas cannot change counts.
 *
 * @throws EntryPoint's refusal if the operation cannot validate with any amount of gas. A bad signature does
 * not count: the signature is a stub. NETWORK_FAILED for a result that the simulator cannot have returned.
 */
export async function simulateOperation(request: SimulateOperationRequest): Promise<OperationSimulation> {
  const { network, operation, isCostly = false } = request
  const entryPoint = entryPointOf(network, operation)
  const entryPointCode = await readEntryPointCode(network, entryPoint)
  const { to, override } = throughProbe(entryPoint)
  const call = {
    to,
    data: encodeFunctionData({
      ...simulate,
      args: [
        packUserOperation(withoutMarker(operation)),
        request.prefund ?? simulatedPrefund(operation),
        gasCap,
      ],
    }),
    stateOverride: overlay(
      [override, { address: entryPointCodeAddress, code: entryPointCode }, ...simulatedState(request)],
      request.stateOverride,
    ),
  }
  if (!isCostly) {
    const bounded = { ...call, gas: boundedGasFor(call.data) }
    const simulation = await runSimulation(request, bounded).catch((error: unknown) => {
      if (isAboutOperation(error)) return undefined
      throw error
    })
    if (simulation && unrunFailures.includes(simulation.failure)) throw toRejection(simulation)
    if (simulation && isMeasured(simulation)) return simulation
  }
  const simulation = await runSimulation(request, call)
  if (simulation.failure !== 0n) throw toRejection(simulation)
  return simulation
}

/** Whether the node, rather than the way to it, is why there is no result. */
const isAboutOperation = (error: unknown): boolean =>
  (error instanceof LanyardError && error.code === 'OPERATION_REFUSED') ||
  isAnswer(error) ||
  rejectionIn(error) !== undefined

/** The account exists already, or not yet: found before any code runs. The simulator's numbers of EntryPoint's AA codes. */
const unrunFailures: readonly bigint[] = [10n, 20n]

/** Whether an operation was refused before any of its code ran: no gas was used, and more would change nothing. */
export const isRefusedUnrun = (error: unknown): boolean =>
  error instanceof LanyardError &&
  unrunFailures.some((failure) => error.details?.entryPointCode === `AA${failure}`)

/** All phases ran to their ends, and no search for a limit ended for want of gas. */
const isMeasured = ({
  failure,
  executionSucceeded,
  postOpSucceeded,
  ...phases
}: OperationSimulation): boolean =>
  failure === 0n &&
  executionSucceeded &&
  postOpSucceeded &&
  [phases.verification, phases.paymasterVerification, phases.execution, phases.postOp].every(
    ({ limit, tight }) => tight || limit === 0n,
  )

interface SimulationCall {
  readonly to: Address
  readonly data: Hex
  readonly stateOverride: StateOverride
  readonly gas?: bigint
}

const runSimulation = (
  { network, origin, fees, coinbase }: SimulateOperationRequest,
  simulated: SimulationCall,
): Promise<OperationSimulation> =>
  network.call(async (client) => {
    const call = {
      ...(origin ? { account: origin } : {}),
      ...fees,
      blockTag: 'latest' as const,
      ...simulated,
    }
    const answer = await client
      .call(coinbase ? { ...call, blockOverrides: { feeRecipient: coinbase } } : call)
      .catch((error: unknown) => {
        const isRejected = isAnswer(error) || rejectionIn(error) !== undefined
        if (coinbase === undefined || !isRejected || revertDataOf(error) !== undefined) throw error
        return client.call(call) // the node knows no block overrides
      })
      .catch((error: unknown) => {
        const reverted = revertDataOf(error)
        if (reverted === undefined) throw error
        throw new LanyardError('OPERATION_REFUSED', {
          message: `The operation cannot be simulated: ${decodeRevert(reverted).reason}.`,
          cause: error,
        })
      })
    const decoded = decodeSimulation(answer.data ?? '0x')
    assertPossible(decoded)
    return decoded
  })

const simulate = prepareEncodeFunctionData({ abi: operationSimulatorAbi, functionName: 'simulate' })

function decodeSimulation(data: Hex) {
  return decodeFunctionResult({ abi: operationSimulatorAbi, functionName: 'simulate', data })
}

/**
 * A limit is never above the gas that the phase was given. Its use may be: the caller also pays for copying
 * the return data, as the callee did for the original.
 *
 * @throws AbsurdGasError
 */
function assertPossible({ failure, creationGasUsed, ...phases }: OperationSimulation): void {
  if (failure !== 0n) return // the measurement is incomplete
  const { verification, paymasterVerification, execution, postOp } = phases
  const figures: readonly (readonly [gas: bigint, most: bigint])[] = [
    [creationGasUsed, gasCap],
    ...[verification, paymasterVerification, execution, postOp].flatMap(({ limit, used }) => [
      [limit, gasCap] as const,
      [used, 2n * gasCap] as const,
    ]),
  ]
  for (const [gas, most] of figures) if (gas > most) throw new AbsurdGasError(gas)
}

/**
 * The sender must pay more than it can have deposited, so that it pays as it will when its deposit is used
 * up: that costs a transfer and a write. A paymaster needs only a deposit, which `handleOps` checks later.
 */
function simulatedPrefund({ paymasterAndData, maxFeePerGas }: SignedUserOperation): bigint {
  return paymasterAndData === '0x' ? gasCap * maxFeePerGas + 1n : 1n
}

/**
 * Puts the simulator in EntryPoint's place and gives the sender enough to pay. A balance given by the caller
 * is what the calls find after the prefund is paid, so the prefund is added, and the sender's deposit, which
 * would reduce it, is removed.
 */
function simulatedState({ network, operation, stateOverride }: SimulateOperationRequest): StateOverride {
  const { sender } = operation
  const code = codeOfSender(operation)
  const given = stateOverride.find(({ address }) => isAddressEqual(address, sender))?.balance
  const simulator = { address: entryPointOf(network, operation), code: operationSimulatorDeployedBytecode }
  if (given === undefined) return [simulator, { address: sender, balance: simulatedBalance, ...code }]
  return [
    { ...simulator, stateDiff: [{ slot: depositSlot(sender), value: zeroHash }] },
    {
      address: sender,
      balance: operation.paymasterAndData === '0x' ? given + simulatedPrefund(operation) : given,
      ...code,
    },
  ]
}

/**
 * StakeManager of v0.7 and v0.8: `mapping(address => DepositInfo) deposits` is in slot 0, and the deposit is first in its
 * struct.
 */
const depositSlot = (account: Address): Hex =>
  keccak256(encodeAbiParameters([{ type: 'address' }, { type: 'uint256' }], [account, 0n]))

/** Merges two overrides of the same address into one, because nodes reject or ignore a repeated address. */
function overlay(own: StateOverride, given: StateOverride): StateOverride {
  const both = given.map((override) => {
    const { code, balance } = own.find(({ address }) => isAddressEqual(address, override.address)) ?? {}
    return { ...override, ...(code ? { code } : {}), ...(balance === undefined ? {} : { balance }) }
  })
  return [...own.filter(({ address }) => !given.some((one) => isAddressEqual(address, one.address))), ...both]
}

/** `Result.failure` is the number of EntryPoint's AA code. */
function toRejection({ failure, failureData }: OperationSimulation): LanyardError {
  const aaCode = findAaCode(`AA${failure}`)
  const inner = failureData === '0x' || aaCode === 'AA14' ? undefined : decodeRevert(failureData)
  return rejection({ index: 0, aaCode, reason: aaCode ?? `simulation failure ${failure}`, inner })
}

const entryPointCodes = new WeakMap<Network, Map<Address, Promise<Hex>>>()

/** Requested once: contracts without a proxy keep their code. */
async function readEntryPointCode(network: Network, entryPoint: Address): Promise<Hex> {
  const codes = entryPointCodes.get(network) ?? new Map<Address, Promise<Hex>>()
  entryPointCodes.set(network, codes)
  let code = codes.get(entryPoint)
  if (!code) {
    code = network
      .call((client) => client.getCode({ address: entryPoint }))
      .then((answer) => {
        if (answer !== undefined) return answer
        throw new LanyardError('NETWORK_FAILED', {
          message: `${network.config.name} has no EntryPoint at ${entryPoint}.`,
        })
      })
    code.catch(() => codes.delete(entryPoint))
    codes.set(entryPoint, code)
  }
  return await code
}

/** Nothing is deployed here: the first 20 bytes of keccak256("lanyard: override probe"). */
const probe: Address = '0xeb764a2c90b0f9e536a5694830449e6f01190ef0'

/** The probe's balance in wei, and the value of its first slot: nobody gives an account exactly this. */
const mark = 0x6c616e79617264n

/**
 * A call that reaches its target only if the node applies overrides of code, balances and storage. A node that
 * ignores one of them returns nothing, because no contract is at the probe's address or because the probe stops.
 * Without it, such a node answers with a revert of the contract that is really there, which looks like a fault of
 * the operation.
 *
 * @param target - called with the calldata and all the gas; its result is the result of the call
 */
const throughProbe = (
  target: Address,
): { readonly to: Address; readonly override: StateOverride[number] } => ({
  to: probe,
  override: {
    address: probe,
    code: probeCode(target),
    balance: mark,
    stateDiff: [{ slot: numberToHex(0, { size: 32 }), value: numberToHex(mark, { size: 32 }) }],
  },
})

function probeCode(target: Address): Hex {
  const push = numberToHex(mark, { size: 7 })
  return concat([
    // PUSH7 mark, SELFBALANCE, XOR, PUSH7 mark, PUSH0, SLOAD, XOR, OR, PUSH1 stop, JUMPI
    ...(['0x66', push, '0x4718', '0x66', push, '0x5f5418', '0x17604757'] as const),
    // CALLDATASIZE, PUSH0, PUSH0, CALLDATACOPY
    '0x365f5f37',
    // PUSH0, PUSH0, CALLDATASIZE, PUSH0, PUSH0, PUSH20 target, GAS, CALL
    ...(['0x5f5f365f5f73', target, '0x5af1'] as const),
    // RETURNDATASIZE, PUSH0, PUSH0, RETURNDATACOPY
    '0x3d5f5f3e',
    // PUSH1 return, JUMPI, RETURNDATASIZE, PUSH0, REVERT
    '0x6043573d5ffd',
    // return: JUMPDEST, RETURNDATASIZE, PUSH0, RETURN
    '0x5b3d5ff3',
    // stop: JUMPDEST, STOP
    '0x5b00',
  ])
}
