import { countsSender } from '@lanyard/accounts'
import { type Address, getAddress, type Hash, type Hex, isAddress, isHex } from 'viem'
import { z } from 'zod'
import { readAccount } from '../account/read-account.ts'
import type { Connection } from '../connect.ts'
import type { RecoveryKit } from '../kit/recovery-kit.ts'
import type { Payer } from '../payer/payer.ts'
import { RecoveryError } from '../recovery-error.ts'
import { t } from '../words.ts'
import { deployAccount, sendAndWait } from './send-transaction.ts'

/** What an owner signed where no key is taken. Whoever has it can send it, and nothing else. */
export interface SignedTransaction {
  readonly chainId: number
  readonly account: Address
  /** The call data of `execTransaction`. */
  readonly data: Hex
}

/** The selector of `execTransaction`. No other function may be called: `approveHash` would sign for a payer who is an owner. */
const execTransaction = '0x6a761202'

const list = z.array(
  z.object({
    chainId: z.int().positive(),
    account: z
      .string()
      .refine((text) => isAddress(text, { strict: false }))
      .transform((text) => getAddress(text)),
    data: z.custom<Hex>((value) => isHex(value) && value.startsWith(execTransaction)),
  }),
)

/** @throws RecoveryError USAGE */
export function readSignedTransactions(text: string): readonly SignedTransaction[] {
  try {
    return list.parse(JSON.parse(text))
  } catch (cause) {
    throw new RecoveryError('USAGE', t('This is not what a recovery page gave out. Paste all of it.'), {
      cause,
    })
  }
}

/**
 * Sends what was signed elsewhere, to the account of the kit alone.
 *
 * @throws RecoveryError USAGE if it is for another account, or if the payer would sign it by sending it; FAILED
 */
export async function sendSignedTransaction(
  { connection, kit }: { readonly connection: Connection; readonly kit: RecoveryKit },
  payer: Payer,
  { account, data }: SignedTransaction,
): Promise<Hash> {
  if (account !== kit.account)
    throw new RecoveryError('USAGE', t('This was signed for another account: {account}.', { account }))
  // The account takes an owner that sends a transaction for one that signed it, so the text of a website could borrow the payer's
  // key. The bytes alone decide: the same website may name the RPC.
  if (countsSender(data, payer.address))
    throw new RecoveryError(
      'USAGE',
      t('This text is not signed: sending it would be your signature. Nothing was sent.'),
    )
  const { deployed } = await readAccount(connection.client, kit)
  if (!deployed) await deployAccount(connection, kit, payer)
  return sendAndWait(connection, payer, { to: account, data })
}
