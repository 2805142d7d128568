import { connect } from '../connect.ts'
import type { KitNetwork, RecoveryKit } from '../kit/recovery-kit.ts'
import { type SignedTransaction, sendSignedTransaction } from '../send/signed-transactions.ts'
import { t } from '../words.ts'
import { byId, make } from './dom.ts'
import { createPart, type Part } from './part.ts'
import { readPayer, readSigned } from './read-form.ts'

const output = byId('signed-output', HTMLElement)

/** What was signed on this page, by network. */
const signed = new Map<number, SignedTransaction>()

/** Shows what was signed on all networks as one text, which the saved file takes. */
export function showSigned(transaction: SignedTransaction): void {
  signed.set(transaction.chainId, transaction)
  const text = JSON.stringify([...signed.values()], undefined, 1)
  output.replaceChildren(
    make('label', { htmlFor: 'signed-text', textContent: t('What you signed: no secret') }),
    make('textarea', { id: 'signed-text', readOnly: true, rows: 6, value: text }),
    make('a', {
      href: URL.createObjectURL(new Blob([text], { type: 'application/json' })),
      download: 'signed.json',
      className: 'download',
      textContent: t('Save it as a file'),
    }),
    make('p', {
      className: 'hint',
      textContent: t(
        'Open the saved file of this page, choose “Send what I signed on a website”, and paste the text. It is valid until the account does something else on that network.',
      ),
    }),
  )
}

/** Sends on one network what the account's owner signed on a website, where no key is taken. */
export function signedPart(
  kit: RecoveryKit,
  network: KitNetwork,
  connection: { readonly read: () => string },
  onState: () => void,
): Part {
  const { name } = network
  const send = make('button', { type: 'button', textContent: t('Send it on {name}', { name }) })
  const part = createPart({ name, onState, buttons: [send], usable: () => [send] })
  const check = () =>
    part.attempt(async () => {
      readSigned(network)
      return 'ready'
    })
  send.onclick = () =>
    void part.attempt(async () => {
      const transaction = readSigned(network)
      const connected = await connect({ ...network, rpcUrl: connection.read() })
      const hash = await sendSignedTransaction(
        { connection: connected, kit },
        await readPayer(connected),
        transaction,
      )
      part.say(t('Done on {name}.', { name }), [t('Transaction {hash}', { hash })])
      return 'done'
    })
  part.show('new')
  return { element: part.element(), check, state: part.state }
}
