import { decodeCalls, unpackPaymasterAndData } from '@lanyard/accounts'
import { LanyardError } from '@lanyard/contracts'
import { type Hex, numberToHex } from 'viem'
import { lockAccount } from '../../../domain/accounts/accounts/lock-account.ts'
import type { Wallet } from '../../../domain/accounts/accounts/wallet.ts'
import { builderOf } from '../../../domain/accounts/callers/builder-of.ts'
import { hashesOf, insertBuild } from '../../../domain/operations/build/build-row.ts'
import type { Payer } from '../../../domain/operations/payer.ts'
import { findPayer } from '../../../domain/smart-balance/orders/find-payer.ts'
import { toOperationRow } from '../operation-row.ts'
import { findOperationWallet, registerWallet } from '../operation-wallet.ts'
import { type RpcCall, requireEntryPoint } from '../rpc-call.ts'
import { RpcError, rpcCodes } from '../rpc-error.ts'
import { parseOperation, toSigned } from '../user-operation.ts'

const name = 'Lanyard'

/** `pm_getPaymasterStubData` (ERC-7677): the service's own paymaster, with a signature to estimate with. */
export async function getPaymasterStubData(call: RpcCall) {
  const { payer } = await findSponsor(call)
  const { paymaster, paymasterData, ...gas } = unpack(payer.draft)
  return {
    sponsor: { name },
    paymaster,
    paymasterData,
    paymasterVerificationGasLimit: numberToHex(gas.paymasterVerificationGasLimit),
    paymasterPostOpGasLimit: numberToHex(gas.paymasterPostOpGasLimit),
    isFinal: false,
  }
}

/**
 * `pm_getPaymasterData` (ERC-7677): the operator signs for exactly this operation, and what it may cost is taken from the
 * budgets, in the transaction that writes it as a build. `eth_sendUserOperation` finds it there.
 */
export async function getPaymasterData(call: RpcCall) {
  const { context, network } = call
  const { services } = context
  const { database } = services
  const { payer, wallet, operation } = await findSponsor(call)
  const { paymasterVerificationGasLimit, paymasterPostOpGasLimit } = operation.gas
  if (paymasterVerificationGasLimit === undefined)
    throw new RpcError(rpcCodes.invalidParams, 'paymasterVerificationGasLimit: Required')
  const { callGasLimit, verificationGasLimit, preVerificationGas } = operation.unpaid
  const paymasterAndData = payer.withGas({
    ...{ callGasLimit, verificationGasLimit, preVerificationGas, paymasterVerificationGasLimit },
    paymasterPostOpGasLimit: paymasterPostOpGasLimit ?? 0n,
    execution: { success: true, revertData: '0x' },
  })
  const unpaid = { ...operation.unpaid, paymasterAndData }
  const consent = await database.transaction().execute((transaction) => payer.consent(transaction, unpaid))
  const signed =
    typeof consent.paymasterAndData === 'string' ? consent.paymasterAndData : await consent.paymasterAndData()
  const paid = { ...unpaid, paymasterAndData: signed }
  const validity = { validAfter: 0, validUntil: 0 } // what the owner signs is known when it is sent
  const hashes = hashesOf(paid, wallet, network, validity)
  const builtBy = await builderOf(context, wallet)
  await database.transaction().execute(async (transaction) => {
    await lockAccount(transaction, wallet.address.toLowerCase())
    await payer.confirm(transaction, unpaid, consent)
    const signMode = wallet.owner.kind === 'eoa' ? 'ECDSA' : 'WEBAUTHN'
    const row = { ...toOperationRow(paid, wallet, network, services.now()), built_by: builtBy }
    await insertBuild(transaction, {
      ...row,
      user_op_hash: hashes.userOpHash,
      safe_op_hash: hashes.safeOperationHash,
      ...{ valid_after: 0, valid_until: 0, sign_mode: signMode },
    })
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

/** Authority and budgets are those of `paymasterData: 'sponsored'` in a build. */
async function findSponsor({ context, network, params }: RpcCall) {
  const [given, entryPoint, chainId] = params
  requireEntryPoint(network, entryPoint)
  if (chainId !== undefined && Number(chainId) !== network.chainId)
    throw new RpcError(rpcCodes.invalidParams, `This address serves chain ${network.chainId}.`)
  const { services } = context
  const parsed = parseOperation(given)
  const { signature: _, ...unpaid } = toSigned({ ...parsed, paymaster: undefined })
  const wallet = await findOperationWallet(services.database, unpaid)
  await registerWallet(services.database, wallet, services.now())
  const payer = await sponsorOf({ context, network, params }, wallet, unpaid.callData)
  return { payer, wallet, operation: { unpaid, gas: parsed } }
}

async function sponsorOf({ context, network }: RpcCall, wallet: Wallet, callData: Hex): Promise<Payer> {
  const decoded = decodeCalls(callData, wallet.deployment)
  const { payer } = await findPayer(context, {
    wallet,
    network,
    paymasterData: 'sponsored',
    calls: decoded.ok ? decoded.calls : [],
    signers: async () => [{ key: wallet.owner }], // an order without debits asks for nobody's pinned key
  })
  return payer
}

function unpack(paymasterAndData: Hex) {
  const unpacked = unpackPaymasterAndData(paymasterAndData)
  if (unpacked) return unpacked
  throw new LanyardError('INTERNAL', { cause: 'a sponsor without a paymaster' })
}
