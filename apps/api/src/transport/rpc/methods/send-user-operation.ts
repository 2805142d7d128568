import { decodeSignature, type SignedUserOperation } from '@lanyard/accounts'
import { withAuthorization } from '@lanyard/bundler'
import { LanyardError } from '@lanyard/contracts'
import {
  type Database,
  lockAccount,
  type NewOperationRow,
  type OperationRow,
  restoreTerms,
  type SignedTerms,
} from '@lanyard/database'
import type { Network } from '@lanyard/networks'
import type { Kysely } from 'kysely'
import { type Hash, type Hex, numberToHex } from 'viem'
import { entryPoint07Abi } from 'viem/account-abstraction'
import { type AnyWallet, accountOf, isContractAccount } from '../../../domain/accounts/accounts/wallet.ts'
import { keyNameOf } from '../../../domain/accounts/api-keys/api-key.ts'
import { builderOf, sentBy } from '../../../domain/accounts/callers/caller.ts'
import { readOwners } from '../../../domain/accounts/owners/read-owners.ts'
import type { PayerHooks } from '../../../domain/operations/build-request.ts'
import type { OperationDependencies } from '../../../domain/operations/dependencies.ts'
import { forgetDeployed } from '../../../domain/operations/prepare/account-state.ts'
import { hashesOf } from '../../../domain/operations/prepare/write-build.ts'
import { onlySigner, signerOfForm } from '../../../domain/operations/signers/find-signer.ts'
import type { Candidate, SigningAccount, Validity } from '../../../domain/operations/signers/signer.ts'
import { sendFirst } from '../../../domain/operations/submit/deliver.ts'
import { signRow } from '../../../domain/operations/submit/sign-row.ts'
import { recordedRejection, reserveForSigned } from '../../../domain/operations/submit/submit-operation.ts'
import { insertOperation, toOperationRow } from '../operation-row.ts'
import { findOperationWallet, registerWallet } from '../operation-wallet.ts'
import { type RpcCall, requireEntryPoint } from '../rpc-call.ts'
import { aboutOperation } from '../rpc-error.ts'
import { parseOperation, requireSigned, type SentOperation } from '../user-operation.ts'

/**
 * `eth_sendUserOperation`: creates the same durable operation as build and submit. The signature is verified
 * before anything is written, so that no other caller can take a nonce. Then the row is written and signed,
 * and the operation is sent to the bundler, whose rejection is the answer. A rejected operation can be sent
 * again.
 *
 * @returns its hash, without waiting for its inclusion
 */
export async function sendUserOperation({ context, network, params }: RpcCall): Promise<Hash> {
  const [given, named] = params
  const entryPoint = requireEntryPoint(network, named)
  const { services } = context
  const { database, operations, log } = services
  const operation = requireSigned(parseOperation(given), entryPoint)
  const wallet = await findOperationWallet({ database, network }, operation)
  const { validAfter, validUntil, signature: made } = readSignature(wallet, operation)
  const { userOpHash, operationHash } = hashesOf(operation, wallet, network, { validAfter, validUntil })
  const known = await findRow(database, userOpHash)
  if (known?.signature != null) return userOpHash // sent before: its status has the outcome
  if (known?.sign_mode === 'SESSION_KEY') {
    throw new LanyardError('UNSUPPORTED_SIGNATURE_TYPE', {
      message: 'Send operations of a session to /smart-account/transaction/submit.',
    })
  }
  const [head, nonce] = await readHead(network, operation)
  requireValidAt(head.timestamp, { validAfter, validUntil })
  if (nonce !== operation.nonce && !(await followsIncluded(database, network, operation))) {
    const sent = await findRow(database, userOpHash)
    if (sent?.signature != null) return userOpHash // a concurrent call sent it; it is included
    throw new LanyardError('REBUILD', {
      message: `The next nonce of this key is ${numberToHex(nonce)}.`,
      details: { entryPointCode: 'AA25', reason: 'AA25 invalid account nonce' },
    })
  }
  const { signMode, ownerSignature } = await recogniseOwner(
    operations.features,
    { wallet, database, ownersOn: async () => currentOwners(network, wallet) },
    { network: network.chainId, safe_op_hash: operationHash },
    made,
  )

  const decoded = accountOf(wallet).decodeCalls(operation.callData)
  await operations.screening.ask({
    ...{ purpose: 'relay', network, account: wallet.address, userOpHash },
    calls: decoded.ok ? decoded.calls : undefined,
    caller: context.apiKey && keyNameOf(context),
  })
  await operations.payerHooks.beforeSigned(network, operation)
  await registerWallet(database, wallet, services.now())
  const now = services.now()
  const { signature: _, authorization, ...unsigned } = operation
  const terms: SignedTerms = {
    safe_op_hash: operationHash,
    valid_after: validAfter,
    valid_until: validUntil,
    sign_mode: signMode,
  }
  const row = await findOrInsert(
    operations,
    {
      ...toOperationRow(unsigned, wallet, network, now),
      ...terms,
      user_op_hash: userOpHash,
      built_by: await builderOf(context, wallet),
    },
    now,
  )
  const endReservation = reserveForSigned(row)
  const signed = await signRow(database, {
    row: withAuthorization(sentBy(context, row), authorization),
    signature: accountOf(wallet).encodeSignature({ validAfter, validUntil, signature: ownerSignature }),
    terms,
    head: head.number,
    now,
    payerHooks: operations.payerHooks,
    features: operations.features,
  }).catch((error: unknown) => {
    endReservation(false)
    throw error
  })
  await services.checkpoint('submit:signed')
  const payerHooks = restoring(operations.payerHooks, row)
  if (signed.first) {
    await sendFirst({ ...operations, payerHooks }, signed.row).catch((error: unknown) => {
      endReservation(true)
      throw aboutOperation(error, operation, { validAfter, validUntil })
    })
  }
  if (signed.row.state === 'built') {
    endReservation(false)
    throw aboutOperation(recordedRejection(signed.row), operation, { validAfter, validUntil })
  }
  // Its inclusion is recorded as soon as it is seen, even if the caller never asks for it.
  operations.watcher
    .wait(signed.row, operations.inclusionTimeout)
    .then(({ state, deploys, account }) => {
      endReservation(signed.first && state !== 'included')
      if (deploys) forgetDeployed(network, account)
    })
    .catch((error: unknown) => {
      endReservation(signed.first)
      log.warn({ err: error }, 'could not watch an operation')
    })
  return userOpHash
}

const readHead = ({ call }: Network, { sender, nonce, entryPoint }: SentOperation) =>
  call(async (client) =>
    Promise.all([
      client.getBlock(),
      client.readContract({
        address: entryPoint,
        abi: entryPoint07Abi,
        functionName: 'getNonce',
        args: [sender, nonce >> 64n],
      }),
    ]),
  )

/** Whether the previous operation is known to be included, although the queried node does not show it yet. */
async function followsIncluded(
  database: Kysely<Database>,
  { chainId }: Network,
  { sender, nonce }: SignedUserOperation,
): Promise<boolean> {
  const before = await database
    .selectFrom('operations')
    .select('user_op_hash')
    .where('account', '=', sender.toLowerCase())
    .where('network', '=', chainId)
    .where('nonce_key', '=', nonce >> 64n)
    .where('nonce_sequence', '=', (nonce & (2n ** 64n - 1n)) - 1n)
    .where('state', '=', 'included')
    .executeTakeFirst()
  return before !== undefined
}

/** It cannot be included now, so it is rejected before anything is written. */
function requireValidAt(timestamp: bigint, { validAfter, validUntil }: Validity): void {
  if (BigInt(validAfter) <= timestamp && (validUntil === 0 || BigInt(validUntil) >= timestamp)) return
  throw new LanyardError('REBUILD', {
    message: "The owner's signature is not valid at this time. Sign it again.",
    details: {
      entryPointCode: 'AA22',
      validAfter: numberToHex(validAfter),
      validUntil: numberToHex(validUntil),
    },
  })
}

/** @throws INVALID_SIGNATURE when it has no bytes for the validity */
function readSignature(wallet: AnyWallet, { signature }: SignedUserOperation) {
  if (!accountOf(wallet).hasValidity) return { validAfter: 0, validUntil: 0, signature }
  try {
    const { signatures, ...validity } = decodeSignature(signature)
    return { ...validity, signature: signatures }
  } catch (cause) {
    throw invalidSignature('the signature is shorter than validAfter and validUntil.', cause)
  }
}

/**
 * Verifies that an owner signed, before anything is written for it.
 *
 * @throws INVALID_SIGNATURE, SIGNATURE_OVER_TEXT, SIGNATURE_MALLEABLE, NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
async function recogniseOwner(
  features: OperationDependencies['features'],
  account: SigningAccount,
  candidate: Candidate,
  signature: Hex,
) {
  const signer = onlySigner(account.wallet) ?? signerOfForm(features, signature)
  if (!signer) throw invalidSignature('no owner of this account signed this operation.')
  const { ownerSignature } = await signer.recognise([candidate], account, signature)
  return { signMode: signer.signMode, ownerSignature }
}

const currentOwners = async (network: Network, wallet: AnyWallet) =>
  isContractAccount(wallet) ? (await readOwners(network, wallet)).owners : [wallet.address]

const invalidSignature = (message: string, cause?: unknown) =>
  new LanyardError('INVALID_SIGNATURE', { message: `AA24 signature error: ${message}`, cause })

const findRow = (database: Kysely<Database>, userOpHash: Hash): Promise<OperationRow | undefined> =>
  database.selectFrom('operations').selectAll().where('user_op_hash', '=', userOpHash).executeTakeFirst()

/** Finds the build of the operation if it can still be signed, or inserts a new row. */
async function findOrInsert(
  operations: OperationDependencies,
  row: NewOperationRow,
  now: Date,
): Promise<OperationRow> {
  return operations.database.transaction().execute(async (transaction) => {
    const find = () =>
      transaction
        .selectFrom('operations')
        .selectAll()
        .where('user_op_hash', '=', row.user_op_hash)
        .where((eb) => eb.or([eb('signature', 'is not', null), eb('build_expires_at', '>', now)]))
        .executeTakeFirst()
    await lockAccount(transaction, row.account)
    const build = await find()
    if (build) return build
    await insertOperation(transaction, operations, row)
    return (await find()) as OperationRow // it was inserted in this transaction
  })
}

/**
 * The hooks for a send whose owner signed other terms than the build's. If it is rejected before it was sent,
 * the row becomes the original build again, for which its builder's signature is still valid.
 */
const restoring = (hooks: PayerHooks, terms: SignedTerms): PayerHooks => ({
  ...hooks,
  async onUnsent(transaction, row) {
    await hooks.onUnsent(transaction, row)
    await restoreTerms(transaction, row.user_op_hash, terms)
  },
})
