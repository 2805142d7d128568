import { connect } from '../connect.ts'
import type { KitNetwork, RecoveryKit } from '../kit/recovery-kit.ts'
import { readAddress } from '../read-address.ts'
import { describeMoves, moveOut, type Preview, previewMoves, signMoves } from '../recover-network.ts'
import { RecoveryError } from '../recovery-error.ts'
import { t } from '../words.ts'
import { byId, make } from './dom.ts'
import { createPart, type Part } from './part.ts'
import { readDestination, readSigner, readWay, readWayKind, sendsLater } from './read-form.ts'
import { showSigned } from './signed-part.ts'

const form = byId('form', HTMLFormElement)

/** Where a network of the kit is reached: filled in from the kit, and open only if the kit does not say it. */
export function connectionFields({ chainId, name, rpcUrl }: KitNetwork) {
  const rpc = textField(t('RPC of {name}', { name }), `rpc-${chainId}`, rpcUrl)
  const element = make(
    'details',
    { open: rpcUrl === undefined },
    make('summary', { textContent: t('Connection') }),
    rpc.label,
    rpc.input,
  )
  return {
    element,
    read: (): string => {
      const url = rpc.input.value.trim()
      if (URL.canParse(url)) return url
      element.open = true
      throw new RecoveryError('USAGE', t('Enter the RPC address of {name} under “Connection”.', { name }))
    },
    input: rpc.input,
  }
}

export type ConnectionFields = ReturnType<typeof connectionFields>

/** Moves everything that the account holds on one network. */
export function movePart(
  kit: RecoveryKit,
  network: KitNetwork,
  connection: ConnectionFields,
  onState: () => void,
): Part {
  const { chainId, name } = network
  const tokens = textField(t('Further tokens on {name} (addresses)', { name }), `tokens-${chainId}`)
  const bundler = textField(t('Bundler URL for {name}', { name }), `bundler-${chainId}`)
  const look = make('button', {
    type: 'button',
    className: 'secondary',
    textContent: t('Check {name}', { name }),
  })
  const move = make('button', { type: 'button', textContent: t('Sign and move on {name}', { name }) })
  let preview: Preview | undefined
  const part = createPart({
    name,
    onState,
    buttons: [move, look],
    usable: () => (preview && preview.possible.length > 0 ? [move, look] : [look]),
  })

  const read = async () => {
    const to = readDestination()
    const connected = await connect({ ...network, rpcUrl: connection.read() })
    const addresses = tokens.input.value.split(/[\s,]+/).filter((text) => text !== '')
    const further = addresses.map((text) => readAddress(text, t('Further tokens')))
    const requested = { ...network, tokens: [...network.tokens, ...further] }
    return previewMoves({ connection: connected, kit, network: requested, to, way: readWayKind() })
  }

  // Results are valid only for the inputs they were computed with, above all the destination address.
  form.addEventListener('input', ({ target }) => {
    if (preview === undefined || isAboutSigning(target)) return
    preview = undefined
    part.confirm.replaceChildren()
    part.say(t('Something has changed: check again.'))
    part.show('new')
  })

  const check = () =>
    part.attempt(async () => {
      preview = undefined
      const found = await read()
      preview = found
      const { possible, impossible, waiting, state } = found
      part.say(
        possible.length > 0 ? t('Will be moved:') : t('There is nothing to move now.'),
        possible.map(({ what, request }) =>
          request ? t('requests the withdrawal of {what}', { what }) : what,
        ),
        impossible,
        [
          ...(waiting ? [waiting] : []),
          ...(!state.deployed && possible.length > 0
            ? [t('The account is not deployed here yet; that is done first.')]
            : []),
        ],
      )
      return possible.length > 0
        ? 'ready'
        : waiting
          ? 'waiting'
          : impossible.length > 0
            ? 'problem'
            : 'nothing'
    })
  look.onclick = () => void check()

  move.onclick = () => {
    if (!preview) return
    part.ask(
      [
        t('Everything listed above goes to this address. It cannot be brought back, so compare all of it.'),
        make('strong', { className: 'mono', textContent: readDestination() }),
      ],
      t('Yes, move it on'),
      () => void moveNow(),
    )
  }

  const moveNow = () =>
    part.attempt(async () => {
      if (!preview) return 'new'
      const { possible, connection: connected, waiting } = preview
      if (sendsLater()) {
        showSigned(await signMoves(preview, await readSigner(kit)))
        part.say(t('Signed for {name}. Nothing was sent: the text is below.', { name }))
        return 'waiting'
      }
      const [signer, way] = [await readSigner(kit), await readWay(connected, bundler.input.value)]
      const hash = await moveOut(preview, signer, way)
      preview = undefined
      part.say(
        t('Done on {name}.', { name }),
        [...describeMoves(possible), ...(waiting ? [waiting] : [])],
        hash ? [t('Transaction {hash}', { hash })] : [],
      )
      return waiting ? 'waiting' : 'done'
    })

  part.show('new')
  const byBundler = make('div', { hidden: true }, bundler.label, bundler.input)
  byBundler.dataset.bundler = ''
  const element = part.element(
    byBundler,
    make(
      'details',
      {},
      make('summary', { textContent: t('A token is missing here') }),
      tokens.label,
      tokens.input,
    ),
  )
  return { element, check, state: part.state }
}

/** Keys and their owners do not change what is moved. */
const isAboutSigning = (target: EventTarget | null) =>
  target instanceof HTMLInputElement &&
  (target.type === 'password' || target.name === 'signer' || target.dataset.secret !== undefined)

function textField(label: string, id: string, value = '') {
  const input = make('input', { id, type: 'text', value, autocomplete: 'off', spellcheck: false })
  return { label: make('label', { htmlFor: id, textContent: label }), input }
}
