import type { Address } from 'viem'
import type { Connection } from '../connect.ts'
import type { KitNetwork, RecoveryKit } from '../kit/recovery-kit.ts'
import { browserPayer, keyPayer, type Payer } from '../payer/payer.ts'
import { readAddress } from '../read-address.ts'
import type { Way } from '../recover-network.ts'
import { RecoveryError } from '../recovery-error.ts'
import { readSignedTransactions, type SignedTransaction } from '../send/signed-transactions.ts'
import type { OwnerSigner } from '../signers/owner-signer.ts'
import { t } from '../words.ts'
import { byId, chosen } from './dom.ts'
import { openBrowserWallet } from './signers/browser-wallet.ts'
import { pageSigners, readKey } from './signers/page-signers.ts'

const form = byId('form', HTMLFormElement)
const to = byId('to', HTMLInputElement)
const signedTransactions = byId('signed-transactions', HTMLTextAreaElement)
const payerKey = byId('payer-key', HTMLInputElement)

/** @throws RecoveryError USAGE */
export function readDestination(): Address {
  const text = to.value.trim()
  if (text === '') {
    to.focus()
    throw new RecoveryError('USAGE', t('Enter the address that gets everything in step 2.'))
  }
  return readAddress(text, t('Destination'))
}

/** What a website gave out for one network. @throws RecoveryError USAGE */
export function readSigned({ chainId, name }: Pick<KitNetwork, 'chainId' | 'name'>): SignedTransaction {
  const found = readSignedTransactions(signedTransactions.value).find((one) => one.chainId === chainId)
  if (found) return found
  throw new RecoveryError('USAGE', t('The text has nothing for {name}.', { name }))
}

/** @throws RecoveryError USAGE */
export async function readSigner(kit: RecoveryKit): Promise<OwnerSigner> {
  const signer = pageSigners[chosen(form, 'signer')]
  if (signer) return signer.read(kit)
  throw new RecoveryError('USAGE', t('How do you sign?'))
}

/** Whether the person only signs here, and sends it from elsewhere. */
export const sendsLater = () => chosen(form, 'payer') === 'later'

/** The selected way of paying. It is known before the person is asked for anything else. */
export function readWayKind(): Way['kind'] {
  const payer = chosen(form, 'payer')
  if (payer === 'bundler') return 'bundler'
  return payer === 'carrier' ? 'entry-point' : 'transaction'
}

/** @throws RecoveryError USAGE */
export async function readWay(connection: Connection, bundlerUrl: string): Promise<Way> {
  const kind = readWayKind()
  if (kind === 'bundler') {
    if (bundlerUrl.trim() === '')
      throw new RecoveryError('USAGE', t('Enter the URL of a bundler for this network.'))
    return { kind, url: bundlerUrl.trim() }
  }
  return { kind, payer: await readPayer(connection) }
}

/**
 * The wallet or key that sends a transaction.
 *
 * @throws RecoveryError USAGE
 */
export async function readPayer(connection: Connection): Promise<Payer> {
  if (readWayKind() === 'bundler')
    throw new RecoveryError(
      'USAGE',
      t('No bundler can send this. Choose a wallet or a key that pays in step 2.'),
    )
  if (sendsLater())
    throw new RecoveryError(
      'USAGE',
      t('Nothing is left to sign here. Enter the same text in the saved file, where your key pays.'),
    )
  if (chosen(form, 'payer') === 'wallet') {
    const { provider, address } = await openBrowserWallet()
    return browserPayer(connection, provider, address)
  }
  return keyPayer(connection, readKey(payerKey, t('Sender')))
}
