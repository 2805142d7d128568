import type { AccountOwner, OwnerChange } from '@lanyard/accounts'
import { numberToHex } from 'viem'
import { connect } from '../connect.ts'
import type { KitNetwork, RecoveryKit } from '../kit/recovery-kit.ts'
import {
  applyChanges,
  executeRecovery,
  formatChange,
  nextChanges,
  progressOf,
  type RecoveryProgress,
  signCancellation,
  startRecovery,
} from '../ownership/change-ownership.ts'
import { type OwnershipView, readOwnership } from '../ownership/read-ownership.ts'
import { readSignedMessages, type SignedMessages } from '../ownership/signed-messages.ts'
import { inWords } from '../recovery-error.ts'
import { timeInWords } from '../words.ts'
import { byId, make } from './dom.ts'
import { readPayer, readSigner } from './read-form.ts'

const form = byId('form', HTMLFormElement)
const signedText = byId('signed', HTMLTextAreaElement)

/** What was read last, and what it allows. */
interface Reading {
  readonly view: OwnershipView
  readonly messages: SignedMessages
}

/** The owners on one network of the kit: what was signed and can be applied, and a recovery that runs. */
export function ownershipCard(kit: RecoveryKit, network: KitNetwork): HTMLElement {
  const { chainId, name } = network
  const status = make('div', { role: 'status' })
  /** The last question before anything is sent. */
  const confirm = make('div', { className: 'note', role: 'alert' })
  let reading: Reading | undefined

  const button = (label: string, className = '') =>
    make('button', { type: 'button', className, textContent: `${label} ${name}`, disabled: true })
  const look = button('Check the owners on', 'secondary')
  look.disabled = false
  const apply = button('Apply the change on')
  const start = button('Start the recovery on')
  const execute = button('Execute the recovery on')
  const cancel = button('Sign and cancel the recovery on', 'secondary')

  const showButtons = () => {
    const { view, messages } = reading ?? {}
    const progress = view && messages?.recovery && progressOf(view, messages.recovery)
    apply.disabled = !view || !messages || nextChanges(view, messages.changes).length === 0
    start.disabled = progress !== 'pending'
    execute.disabled = progress !== 'ready'
    cancel.disabled = view?.running === undefined
  }

  const say = (lines: readonly string[]) =>
    status.replaceChildren(make('ul', {}, ...lines.map((line) => make('li', { className: 'mono' }, line))))

  /** Runs one action at a time, and shows errors next to the button that started it. */
  const attempt = async (action: () => Promise<void>) => {
    for (const each of [look, apply, start, execute, cancel]) each.disabled = true
    confirm.replaceChildren()
    status.replaceChildren(make('p', { textContent: 'Working…' }))
    try {
      await action()
    } catch (error) {
      status.replaceChildren(make('p', { className: 'problem', textContent: inWords(error) }))
    }
    look.disabled = false
    showButtons()
  }

  const read = async (): Promise<Reading> => {
    const rpcUrl = byId(`rpc-${chainId}`, HTMLInputElement).value.trim()
    const text = signedText.value.trim()
    const messages = text === '' ? { changes: [] } : readSignedMessages(text)
    return { view: await readOwnership(await connect({ ...network, rpcUrl }), kit), messages }
  }

  /** Sends something, and reads what the network has afterwards. */
  const send = (action: (read: Reading) => Promise<readonly string[]>) =>
    attempt(async () => {
      if (!reading) return
      const before = reading
      reading = undefined
      const done = await action(before)
      try {
        reading = await read()
        say([...done, ...describe(reading)])
      } catch (error) {
        say([...done, inWords(error)]) // what was sent is sent
      }
    })

  /** Asks once more, with what is signed in words. */
  const ask = (lines: readonly string[], label: string, action: () => void) => {
    confirm.replaceChildren(
      ...lines.map((line) => make('p', { className: 'mono' }, line)),
      make('p', {}, 'Nobody can take it back. Compare each whole address.'),
      make(
        'p',
        {},
        make('button', { type: 'button', textContent: `${label} ${name}`, onclick: action }),
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

  // What was read is valid only for the text, the kit and the RPC it was read with.
  form.addEventListener('input', ({ target }) => {
    const isRead =
      target === signedText || (target instanceof HTMLInputElement && target.id === `rpc-${chainId}`)
    if (reading === undefined || !isRead) return
    reading = undefined
    showButtons()
    confirm.replaceChildren()
    status.replaceChildren(make('p', { textContent: 'Something has changed: check again.' }))
  })

  look.onclick = () =>
    attempt(async () => {
      reading = undefined
      reading = await read()
      say(describe(reading))
    })

  apply.onclick = () => {
    if (!reading) return
    const next = nextChanges(reading.view, reading.messages.changes)
    const lines = next.map(({ sequence, change }) => `${sequence}: ${changeInWords(change)}`)
    ask(lines, 'Yes, apply it on', () =>
      send(async ({ view, messages }) => {
        const hash = await applyChanges(view, await readPayer(view.connection), messages.changes)
        return [`Applied on ${name}. Transaction ${hash}`]
      }),
    )
  }

  start.onclick = () => {
    const recovery = reading?.messages.recovery
    if (!recovery) return
    const days = recovery.guardians.delay / 86_400
    const line = `After ${days} days, the only owners are: ${recovery.newOwners.map(ownerInWords).join(', ')}.`
    ask([line], 'Yes, start it on', () =>
      send(async ({ view }) => {
        const hash = await startRecovery(view, await readPayer(view.connection), recovery)
        return [`Started on ${name}. Transaction ${hash}`]
      }),
    )
  }

  execute.onclick = () => {
    const recovery = reading?.messages.recovery
    if (!recovery) return
    const line = `The only owners will be: ${recovery.newOwners.map(ownerInWords).join(', ')}. All session keys end.`
    ask([line], 'Yes, execute it on', () =>
      send(async ({ view }) => {
        const hash = await executeRecovery(view, await readPayer(view.connection), recovery)
        return [`Executed on ${name}. Transaction ${hash}`]
      }),
    )
  }

  cancel.onclick = () =>
    send(async ({ view }) => {
      // Signs first: browsers allow a passkey prompt only shortly after a click.
      const signed = await signCancellation(view, await readSigner(kit))
      signedText.value = formatChange(signed)
      const hash = await applyChanges(view, await readPayer(view.connection), [signed])
      return [
        `Cancelled on ${name}. Transaction ${hash}`,
        'Your signature is in the field above. Apply it on every other network of the account, too.',
      ]
    })

  return make(
    'div',
    { className: 'network' },
    make('h3', { textContent: `Owners on ${name} (${chainId})` }),
    ...[look, apply, start, execute, cancel],
    status,
    confirm,
  )
}

/** The state of one network, a sentence a line. */
function describe({ view, messages: { changes, recovery } }: Reading): readonly string[] {
  const { state, sequence, guardians, running, now } = view
  const owners = [...state.eoas, ...state.contracts].join(', ')
  const next = nextChanges(view, changes)
  return [
    `Owners: ${owners}. Changes so far: ${sequence}. ${guardians ? 'It has guardians.' : 'It has no guardians.'}`,
    ...(state.deployed ? [] : ['The account is not deployed here yet; that is done first.']),
    ...(running
      ? [
          now < running.readyAt
            ? `A recovery runs. It can be executed from ${timeInWords(running.readyAt)} on.`
            : `A recovery is ready: anyone can execute it. Its delay ended on ${timeInWords(running.readyAt)}.`,
        ]
      : ['No recovery runs.']),
    ...(recovery ? [progressInWords[progressOf(view, recovery)]] : []),
    ...next.map((signed) => `Can be applied: ${changeInWords(signed.change)}`),
    ...(changes.length > 0 && next.length === 0
      ? [
          `The signed change is for another sequence than ${sequence}: applied already, or an earlier one is missing.`,
        ]
      : []),
  ]
}

const progressInWords: Readonly<Record<RecoveryProgress, string>> = {
  waiting: 'The recovery that you entered waits for an earlier change.',
  pending: 'The recovery that you entered can be started.',
  running: 'The recovery that you entered is the one that runs.',
  ready: 'The recovery that you entered is ready.',
  'other-running': 'Another recovery runs than the one that you entered.',
  executed: 'The recovery that you entered was executed: its owners are the only ones.',
  over: 'The recovery that you entered does not count any more: an owner changed something since, its guardians took it back, or its time is over.',
}

function ownerInWords(owner: AccountOwner): string {
  if (owner.kind === 'eoa') return owner.address
  return `the passkey ${numberToHex(owner.x, { size: 32 })} ${numberToHex(owner.y, { size: 32 })}`
}

function changeInWords(change: OwnerChange): string {
  switch (change.kind) {
    case 'addOwner':
      return `adds the owner ${ownerInWords(change.owner)}`
    case 'removeOwner':
      return `removes the owner ${ownerInWords(change.owner)}`
    case 'replaceOwner':
      return `replaces the owner ${ownerInWords(change.old)} by ${ownerInWords(change.added)}`
    case 'setGuardians': {
      const { members, threshold, delay } = change.guardians
      if (members.length === 0) return 'removes all guardians'
      return `sets guardians: ${threshold} of ${members.join(', ')}, after ${delay / 86_400} days`
    }
    case 'setThreshold':
      return `asks for the signatures of ${change.threshold} owners`
    case 'revokeSessions':
      return 'ends all session keys'
    case 'cancel':
      return 'cancels the recovery that runs'
  }
}
