import type { Address, Hash } from 'viem'
import { type AccountState, readAccount } from './account/read-account.ts'
import type { Connection } from './connect.ts'
import { dropFailing } from './holdings/drop-failing.ts'
import { type Move, planMoves } from './holdings/plan-moves.ts'
import { type Holdings, readHoldings } from './holdings/read-holdings.ts'
import type { KitNetwork, RecoveryKit } from './kit/recovery-kit.ts'
import type { Payer } from './payer/payer.ts'
import { bundlerCarrier, selfCarrier } from './send/deliver.ts'
import { sendOperation } from './send/send-operation.ts'
import { sendTransaction, signTransaction } from './send/send-transaction.ts'
import type { SignedTransaction } from './send/signed-transactions.ts'
import type { OwnerSigner } from './signers/owner-signer.ts'
import { t } from './words.ts'

/** Who sends the operation, and who pays for the gas. */
export type Way =
  /**
   * The payer sends an ordinary transaction and pays for it. The account pays nothing, and nothing is left
   * behind.
   */
  | { readonly kind: 'transaction'; readonly payer: Payer }
  /** The account pays. Any bundler sends the operation. */
  | { readonly kind: 'bundler'; readonly url: string }
  /** The account pays. The payer calls EntryPoint itself and receives the fee. */
  | { readonly kind: 'entry-point'; readonly payer: Payer }

/** What is possible on one network, before anything is signed. */
export interface Preview {
  readonly connection: Connection
  readonly kit: RecoveryKit
  readonly state: AccountState
  readonly holdings: Holdings
  readonly possible: readonly Move[]
  /** Why some holdings stay, as sentences. */
  readonly impossible: readonly string[]
  readonly waiting?: string
}

export interface PreviewParameters {
  readonly connection: Connection
  readonly kit: RecoveryKit
  readonly network: Pick<KitNetwork, 'smartBalance' | 'tokens'>
  readonly to: Address
  readonly way: Way['kind']
  /** Move only the deposit in the combined balance, and leave the rest. */
  readonly onlyDeposit?: boolean
}

/**
 * Reads the account's holdings on one network, and simulates moving them.
 *
 * @throws RecoveryError THRESHOLD
 */
export async function previewMoves(parameters: PreviewParameters): Promise<Preview> {
  const { connection, kit, network, to, way, onlyDeposit = false } = parameters
  const { client } = connection
  const { account, deployment } = kit
  const { entryPoint } = deployment
  const [state, holdings] = await Promise.all([
    readAccount(client, kit),
    readHoldings(client, { account, entryPoint, ...network }),
  ])
  // If the account pays, EntryPoint first uses the account's gas deposit.
  const free = way === 'transaction' ? holdings : { ...holdings, gasDeposit: 0n }
  const movable = onlyDeposit ? { ...free, native: 0n, gasDeposit: 0n, tokens: [] } : free
  const { moves, waiting } = planMoves(movable, {
    to,
    entryPoint,
    nativeCurrency: connection.chain.nativeCurrency,
  })
  const sorted = await dropFailing(client, account, moves)
  return { connection, kit, state, holdings, ...sorted, ...(waiting !== undefined && { waiting }) }
}

/**
 * Signs and sends the moves that {@link previewMoves} found possible.
 *
 * @returns the transaction's hash, or undefined if there is nothing to do
 * @throws RecoveryError NOT_AN_OWNER, UNUSABLE_ASSERTION, CANNOT_PAY, FAILED
 */
export async function moveOut(preview: Preview, signer: OwnerSigner, way: Way): Promise<Hash | undefined> {
  const { connection, kit, possible } = preview
  const calls = possible.map(({ call }) => call)
  if (calls.length === 0) return undefined
  const sending = { ...preview, signer }
  switch (way.kind) {
    case 'transaction':
      return sendTransaction(sending, way.payer, calls)
    case 'bundler':
      return sendOperation(sending, bundlerCarrier(way.url, connection, kit), calls)
    case 'entry-point':
      return sendOperation(sending, selfCarrier(way.payer, connection, kit), calls)
  }
}

/**
 * Signs the moves that {@link previewMoves} found possible, for another payer to send.
 *
 * @throws RecoveryError NOT_AN_OWNER, UNUSABLE_ASSERTION
 */
export async function signMoves(preview: Preview, signer: OwnerSigner): Promise<SignedTransaction> {
  const { connection, kit, possible } = preview
  const calls = possible.map(({ call }) => call)
  const data = await signTransaction({ ...preview, signer }, calls)
  return { chainId: connection.chain.id, account: kit.account, data }
}

/** Describes the completed moves and the requested exits. */
export function describeMoves(moves: readonly Move[]): readonly string[] {
  return moves.map(({ what, request }) =>
    request ? t('requested the withdrawal of {what}', { what }) : t('moved {what}', { what }),
  )
}
