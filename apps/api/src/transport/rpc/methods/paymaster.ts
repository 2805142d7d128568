import { unpackPaymasterAndData } from '@lanyard/accounts'
import type { GasEstimate } from '@lanyard/bundler'
import { address, LanyardError } from '@lanyard/contracts'
import { lockAccount, type NewOperationRow } from '@lanyard/database'
import { type Address, type Hex, numberToHex } from 'viem'
import { z } from 'zod'
import { type AnyWallet, accountOf, isContractAccount } from '../../../domain/accounts/accounts/wallet.ts'
import { builderOf } from '../../../domain/accounts/callers/caller.ts'
import type { Payer } from '../../../domain/operations/build-request.ts'
import { requireRoom } from '../../../domain/operations/prepare/reserve-nonce.ts'
import { hashesOf } from '../../../domain/operations/prepare/write-build.ts'
import { firstOwnerSigner } from '../../../domain/operations/signers/find-signer.ts'
import { findPayer } from '../../../domain/smart-balance/orders/find-payer.ts'
import { insertOperation, toOperationRow } from '../operation-row.ts'
import { findOperationWallet, registerWallet } from '../operation-wallet.ts'
import { isChainId, type RpcCall, requireEntryPoint } from '../rpc-call.ts'
import { RpcError, rpcCodes } from '../rpc-error.ts'
import { parseOperation, toSigned } from '../user-operation.ts'
import { estimateLimits } from './estimate-user-operation-gas.ts'

type Limits = Omit<GasEstimate, 'execution'>

/** The state of the chain may change between two estimates: a twentieth, and this many units of gas. */
const slack = 2_000n

/** What validation does not use of its limits costs nothing. Clients' own stubs need more, a session's for example. */
const spareVerification = 500_000n

/** What a signature that this service does not know, such as a session's of another one, adds to call data. */
const ofOtherBundlers = 50_000n

/**
 * Requires the service's own estimate. Whoever sends the operation to EntryPoint receives what the paymaster is
 * charged, and that includes preVerificationGas and a tenth of the call gas that is not used: a caller could
 * otherwise turn the budgets of a policy into money.
 *
 * @param needed - the limits of an estimate
 * @throws PAYMASTER_REFUSED with the gas that the operation may have
 */
function requireFairGas(
  chosen: Limits,
  needed: Limits,
  { anyBundler = false, spareGas = { call: 0n, postOp: 0n } }: Pick<Payer, 'anyBundler' | 'spareGas'>,
): void {
  const charged = (gas: bigint) => (gas === 0n ? 0n : gas + gas / 20n + slack)
  const uncharged = (gas: bigint) => 2n * gas + spareVerification
  const spare = anyBundler ? ofOtherBundlers : 0n
  requireAtMost('preVerificationGas', chosen, charged(needed.preVerificationGas) + spare)
  requireAtMost('callGasLimit', chosen, charged(needed.callGasLimit) + spareGas.call)
  requireAtMost(
    'paymasterPostOpGasLimit',
    chosen,
    charged(needed.paymasterPostOpGasLimit ?? 0n) + spareGas.postOp,
  )
  requireAtMost('verificationGasLimit', chosen, uncharged(needed.verificationGasLimit))
  requireAtMost(
    'paymasterVerificationGasLimit',
    chosen,
    uncharged(needed.paymasterVerificationGasLimit ?? 0n),
  )
}

function requireAtMost(limit: keyof Limits, chosen: Limits, maximum: bigint): void {
  const gas = chosen[limit] ?? 0n
  if (gas <= maximum) return
  throw new LanyardError('PAYMASTER_REFUSED', {
    message: `The service pays for a ${limit} of at most ${maximum} here, and the operation has ${gas}. Estimate it with eth_estimateUserOperationGas, and add nothing.`,
    details: { refusal: limit, required: String(gas), budget: String(maximum) },
  })
}

const name = 'Lanyard'

/**
 * `pm_getPaymasterStubData` (ERC-7677): the service's own paymaster, with a stub signature for the estimate.
 */
export async function getPaymasterStubData(call: RpcCall) {
  const { payer } = await findSponsor(call)
  const { paymaster, paymasterData, ...gas } = unpack(payer.draft)
  return {
    sponsor: { name },
    paymaster,
    paymasterData,
    paymasterVerificationGasLimit: numberToHex(gas.paymasterVerificationGasLimit),
    // Clients keep what the stub names. A `postOp` is estimated, because its limit is charged.
    ...(gas.paymasterPostOpGasLimit === 0n && { paymasterPostOpGasLimit: numberToHex(0n) }),
    isFinal: false,
  }
}

/**
 * `pm_getPaymasterData` (ERC-7677): the operator signs for exactly this operation. Its maximum cost is taken
 * from the budgets in the transaction that writes it as a build, where `eth_sendUserOperation` finds it.
 */
export async function getPaymasterData(call: RpcCall) {
  const { context, network } = call
  const { services } = context
  const { database } = services
  const { payer, wallet, operation } = await findSponsor(call)
  const { paymasterVerificationGasLimit, paymasterPostOpGasLimit = 0n, signature = '0x' } = operation.gas
  if (paymasterVerificationGasLimit === undefined)
    throw new RpcError(rpcCodes.invalidParams, 'paymasterVerificationGasLimit: Required')
  const draft = { ...operation.unpaid, paymasterAndData: payer.draft, signature }
  const paymasterAndData = payer.withGas(limitsOf(operation))
  await payer.requirePayable?.({ ...draft, paymasterAndData }, [])
  requireFairGas(
    { ...operation.unpaid, paymasterVerificationGasLimit, paymasterPostOpGasLimit },
    await estimateLimits(call, wallet, draft, { mustBeSteady: true }),
    payer,
  )
  await payer.screen?.()
  await registerWallet(database, wallet, services.now())
  const unpaid = { ...operation.unpaid, paymasterAndData }
  const consent = await database.transaction().execute((transaction) => payer.consent(transaction, unpaid))
  const signed =
    typeof consent.paymasterAndData === 'string' ? consent.paymasterAndData : await consent.paymasterAndData()
  const paid = { ...unpaid, paymasterAndData: signed }
  // The same as for a build; the signed values are known when it is sent.
  const validity = { validAfter: 0, validUntil: consent.validUntil }
  const hashes = hashesOf(paid, wallet, network, validity)
  const builtBy = await builderOf(context, wallet)
  await database.transaction().execute(async (transaction) => {
    const now = services.now()
    await lockAccount(transaction, wallet.address.toLowerCase())
    await payer.confirm(transaction, unpaid, consent)
    const row: NewOperationRow = {
      ...toOperationRow(paid, wallet, network, now),
      user_op_hash: hashes.userOpHash,
      safe_op_hash: hashes.operationHash,
      valid_after: validity.validAfter,
      valid_until: validity.validUntil,
      sign_mode: firstOwnerSigner(wallet).signMode,
      built_by: builtBy,
    }
    await insertOperation(transaction, services.operations, row, (use) => requireRoom(use, now))
    await payer.record(transaction, { operation: paid, userOpHash: hashes.userOpHash })
  })
  const { paymaster, paymasterData, ...gas } = unpack(signed)
  return {
    paymaster,
    paymasterData,
    paymasterVerificationGasLimit: numberToHex(gas.paymasterVerificationGasLimit),
    paymasterPostOpGasLimit: numberToHex(gas.paymasterPostOpGasLimit),
  }
}

/** The gas that a caller has chosen, in the form of an estimate. */
const limitsOf = ({ unpaid, gas }: SponsoredOperation['operation']): GasEstimate => ({
  callGasLimit: unpaid.callGasLimit,
  verificationGasLimit: unpaid.verificationGasLimit,
  preVerificationGas: unpaid.preVerificationGas,
  paymasterVerificationGasLimit: gas.paymasterVerificationGasLimit ?? 0n,
  paymasterPostOpGasLimit: gas.paymasterPostOpGasLimit ?? 0n,
  execution: { success: true, revertData: '0x' },
})

type SponsoredOperation = Awaited<ReturnType<typeof findSponsor>>

/** What ERC-7677 calls the context: `token` names the token in which the account pays (ERC-20 paymasters). */
const sponsorContext = z.looseObject({ token: address.optional() }).nullish()

/** Authority and budgets are those of `paymasterData: 'sponsored'`, or of `feeToken`, in a build. */
async function findSponsor({ context, network, params }: RpcCall) {
  const [given, named, chainId, givenContext] = params
  const parsedContext = sponsorContext.safeParse(givenContext)
  if (!parsedContext.success)
    throw new RpcError(rpcCodes.invalidParams, 'context.token: Expected the address of a token')
  const feeToken = parsedContext.data?.token
  const entryPoint = requireEntryPoint(network, named)
  if (chainId !== undefined && !isChainId(network, chainId))
    throw new RpcError(rpcCodes.invalidParams, `This address serves chain ${network.chainId}.`)
  const { services } = context
  const parsed = parseOperation(given)
  const { signature: _, ...unpaid } = toSigned({ ...parsed, paymaster: undefined }, entryPoint)
  const wallet = await findOperationWallet({ database: services.database, network }, unpaid)
  if (feeToken === undefined) requireSponsorable(wallet)
  const payer = await sponsorOf({ context, network, params }, wallet, unpaid.callData, feeToken)
  return { payer, wallet, operation: { unpaid, gas: parsed } }
}

/** @throws PAYMASTER_REFUSED for an account whose EntryPoint the service's paymaster does not know */
function requireSponsorable(wallet: AnyWallet): void {
  if (isContractAccount(wallet)) return
  throw new LanyardError('PAYMASTER_REFUSED', {
    message:
      "The service's paymaster works with EntryPoint v0.7 only. A delegated EOA (EIP-7702) pays its own gas, in the native coin or in a token, or an external paymaster does.",
  })
}

async function sponsorOf(
  { context, network }: RpcCall,
  wallet: AnyWallet,
  callData: Hex,
  feeToken: Address | undefined,
): Promise<Payer> {
  const decoded = accountOf(wallet).decodeCalls(callData)
  const { payer } = await findPayer(context, {
    wallet,
    network,
    paymasterData: feeToken === undefined ? 'sponsored' : '0x',
    feeToken,
    calls: decoded.ok ? decoded.calls : undefined,
    callData,
    signers: async () => [{ key: wallet.owner }], // an order without debits needs no pinned key
  })
  return payer
}

function unpack(paymasterAndData: Hex) {
  const unpacked = unpackPaymasterAndData(paymasterAndData)
  if (unpacked) return unpacked
  throw new LanyardError('INTERNAL', { cause: 'a sponsor without a paymaster' })
}
