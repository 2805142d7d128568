import { connect } from '../connect.ts'
import type { KitNetwork, RecoveryKit } from '../kit/recovery-kit.ts'
import { describeMoves, moveOut, type Preview, previewMoves } from '../recover-network.ts'
import { inWords } from '../recovery-error.ts'
import { byId, make } from './dom.ts'
import { readAddress, readDestination, readSigner, readWay, readWayKind } from './read-form.ts'

const form = byId('form', HTMLFormElement)

/** One network of the kit: its holdings, and a button that moves them. */
export function networkCard(kit: RecoveryKit, network: KitNetwork): HTMLElement {
  const { chainId, name } = network
  const rpc = textField(`RPC of ${name}`, `rpc-${chainId}`, network.rpcUrl)
  const tokens = textField(`Further tokens on ${name} (addresses)`, `tokens-${chainId}`)
  const bundler = textField(`Bundler URL for ${name}, only if a bundler sends it`, `bundler-${chainId}`)
  const status = make('div', { role: 'status' })
  const look = make('button', { type: 'button', className: 'secondary', textContent: `Check ${name}` })
  const move = make('button', { type: 'button', textContent: `Sign and move on ${name}`, disabled: true })
  /** The last question before anything is signed. */
  const confirm = make('div', { className: 'note', role: 'alert' })
  let preview: Preview | undefined

  const say = (lines: readonly string[], className = '') =>
    status.append(make('ul', { className }, ...lines.map((line) => make('li', { className: 'mono' }, line))))

  const lookAgain = async () => {
    const connection = await connect({ ...network, rpcUrl: rpc.input.value.trim() })
    const addresses = tokens.input.value.split(/[\s,]+/).filter((text) => text !== '')
    const further = addresses.map((text) => readAddress(text, 'Further tokens'))
    const requested = { ...network, tokens: [...network.tokens, ...further] }
    return previewMoves({ connection, kit, network: requested, to: readDestination(), way: readWayKind() })
  }

  /** Runs one action at a time, and shows errors next to the button that started it. */
  const attempt = async (action: () => Promise<void>) => {
    look.disabled = move.disabled = true
    confirm.replaceChildren()
    status.replaceChildren(make('p', { textContent: 'Working…' }))
    try {
      await action()
    } catch (error) {
      status.replaceChildren(make('p', { className: 'problem', textContent: inWords(error) }))
    }
    look.disabled = false
    move.disabled = preview === undefined || preview.possible.length === 0
  }

  // Results are valid only for the inputs they were computed with, above all the destination address.
  form.addEventListener('input', ({ target }) => {
    if (preview === undefined || isAboutSigning(target)) return
    preview = undefined
    move.disabled = true
    confirm.replaceChildren()
    status.replaceChildren(make('p', { textContent: 'Something has changed: check again.' }))
  })

  look.onclick = () =>
    attempt(async () => {
      preview = undefined
      const found = await lookAgain()
      preview = found
      const { possible, impossible, waiting, state } = found
      status.replaceChildren(
        make('p', {
          textContent: possible.length > 0 ? 'Will be moved:' : 'There is nothing to move now.',
        }),
      )
      say(possible.map(({ what, request }) => (request ? `requests the withdrawal of ${what}` : what)))
      say(impossible, 'problem')
      if (waiting) say([waiting])
      if (!state.deployed && possible.length > 0)
        say(['The account is not deployed here yet; that is done first.'])
    })

  move.onclick = () => {
    if (!preview) return
    const to = readDestination()
    confirm.replaceChildren(
      make('p', {}, 'Everything listed above goes to ', make('strong', { className: 'mono' }, to), '.'),
      make('p', {}, 'Nobody can bring it back. Compare the whole address.'),
      make(
        'p',
        {},
        make('button', { type: 'button', textContent: `Yes, move it on ${name}`, onclick: moveNow }),
        make('button', {
          type: 'button',
          className: 'secondary',
          textContent: 'No',
          onclick: () => confirm.replaceChildren(),
        }),
      ),
    )
    confirm.querySelector('button')?.focus()
  }

  const moveNow = () =>
    attempt(async () => {
      if (!preview) return
      const { possible, connection, waiting } = preview
      const [signer, way] = [await readSigner(kit), await readWay(connection, bundler.input.value)]
      const hash = await moveOut(preview, signer, way)
      preview = undefined
      status.replaceChildren(make('p', { textContent: `Done on ${name}.` }))
      say([...describeMoves(possible), ...(waiting ? [waiting] : []), `Transaction ${hash}`])
    })

  const title = make('h3', { textContent: `${name} (${chainId})` })
  return make(
    'div',
    { className: 'network' },
    title,
    rpc.label,
    rpc.input,
    tokens.label,
    tokens.input,
    bundler.label,
    bundler.input,
    look,
    move,
    status,
    confirm,
  )
}

/** Keys and their owners do not change what is moved. */
const isAboutSigning = (target: EventTarget | null) =>
  target instanceof HTMLInputElement && (target.type === 'password' || target.name === 'signer')

function textField(label: string, id: string, value = '') {
  const input = make('input', { id, type: 'text', value, autocomplete: 'off', spellcheck: false })
  return { label: make('label', { htmlFor: id, textContent: label }), input }
}
