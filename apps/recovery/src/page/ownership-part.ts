import type { OwnerChange } from '@lanyard/accounts'
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
import { describeError } from '../recovery-error.ts'
import { t, timeInWords } from '../words.ts'
import { byId, make } from './dom.ts'
import type { ConnectionFields } from './move-part.ts'
import { createPart, type Part, type PartState } from './part.ts'
import { readPayer, readSigner, sendsLater } from './read-form.ts'
import { ownerInWords } from './signers/page-signers.ts'

const form = byId('form', HTMLFormElement)
const signedText = byId('signed', HTMLTextAreaElement)

/** What was read last, and what it allows. */
interface Reading {
  readonly view: OwnershipView
  readonly messages: SignedMessages
}

/** The owners on one network of the kit: what was signed and can be applied, and a recovery that runs. */
export function ownershipPart(
  kit: RecoveryKit,
  network: KitNetwork,
  connection: ConnectionFields,
  onState: () => void,
): Part {
  const { name } = network
  let reading: Reading | undefined

  const button = (textContent: string, className = '') =>
    make('button', { type: 'button', className, textContent })
  const look = button(t('Check the owners on {name}', { name }), 'secondary')
  const apply = button(t('Apply the change on {name}', { name }))
  const start = button(t('Start the recovery on {name}', { name }))
  const execute = button(t('Execute the recovery on {name}', { name }))
  const cancel = button(t('Sign and cancel the recovery on {name}', { name }), 'secondary')
  const part = createPart({
    name,
    onState,
    buttons: [apply, start, execute, look, cancel],
    usable: () => {
      const { view, messages } = reading ?? {}
      if (!view || !messages) return [look]
      const progress = messages.recovery && progressOf(view, messages.recovery)
      return [
        ...(nextChanges(view, messages.changes).length > 0 ? [apply] : []),
        ...(progress === 'pending' ? [start] : []),
        ...(progress === 'ready' ? [execute] : []),
        look,
        ...(view.running ? [cancel] : []),
      ]
    },
  })

  const read = async (): Promise<Reading> => {
    const text = signedText.value.trim()
    const messages = text === '' ? { changes: [] } : readSignedMessages(text)
    return {
      view: await readOwnership(await connect({ ...network, rpcUrl: connection.read() }), kit),
      messages,
    }
  }

  /** Sends something, and reads what the network has afterwards. */
  const send = (action: (read: Reading) => Promise<readonly string[]>) =>
    part.attempt(async () => {
      if (!reading) return 'new'
      const before = reading
      reading = undefined
      const done = await action(before)
      try {
        reading = await read()
        part.say(undefined, done, describe(reading))
        return stateOf(reading)
      } catch (error) {
        part.say(undefined, [...done, describeError(error)]) // what was sent is sent
        return 'done'
      }
    })
  const ask = (lines: readonly string[], label: string, action: () => void) =>
    part.ask([...lines, t('It cannot be taken back. Compare each whole address.')], label, action)

  // What was read is valid only for the text, the kit and the RPC it was read with.
  form.addEventListener('input', ({ target }) => {
    if (reading === undefined || (target !== signedText && target !== connection.input)) return
    reading = undefined
    part.confirm.replaceChildren()
    part.say(t('Something has changed: check again.'))
    part.show('new')
  })

  const check = () =>
    part.attempt(async () => {
      reading = undefined
      reading = await read()
      part.say(undefined, describe(reading))
      return stateOf(reading)
    })
  look.onclick = () => void check()

  apply.onclick = () => {
    if (!reading) return
    const next = nextChanges(reading.view, reading.messages.changes)
    const lines = next.map(({ sequence, change }) => `${sequence}: ${changeInWords(change)}`)
    ask(lines, t('Yes, apply it on'), () =>
      send(async ({ view, messages }) => {
        const hash = await applyChanges(view, await readPayer(view.connection), messages.changes)
        return [t('Applied on {name}.', { name }), t('Transaction {hash}', { hash })]
      }),
    )
  }

  start.onclick = () => {
    const recovery = reading?.messages.recovery
    if (!recovery) return
    const line = t('Days to wait: {days}. Then the only owners are: {owners}.', {
      days: recovery.guardians.delay / 86_400,
      owners: recovery.newOwners.map(ownerInWords).join(', '),
    })
    ask([line], t('Yes, start it on'), () =>
      send(async ({ view }) => {
        const hash = await startRecovery(view, await readPayer(view.connection), recovery)
        return [t('Started on {name}.', { name }), t('Transaction {hash}', { hash })]
      }),
    )
  }

  execute.onclick = () => {
    const recovery = reading?.messages.recovery
    if (!recovery) return
    const owners = recovery.newOwners.map(ownerInWords).join(', ')
    const line = t('The only owners will be: {owners}. All session keys end.', { owners })
    ask([line], t('Yes, execute it on'), () =>
      send(async ({ view }) => {
        const hash = await executeRecovery(view, await readPayer(view.connection), recovery)
        return [t('Executed on {name}.', { name }), t('Transaction {hash}', { hash })]
      }),
    )
  }

  cancel.onclick = () =>
    send(async ({ view }) => {
      // Signs first: browsers allow a passkey prompt only shortly after a click.
      const signed = await signCancellation(view, await readSigner(kit))
      signedText.value = formatChange(signed)
      if (sendsLater())
        return [
          t('Signed for {name}. Nothing was sent.', { name }),
          t('Your signature is in the field of step 2. Paste it in the saved file, where your key pays.'),
        ]
      const hash = await applyChanges(view, await readPayer(view.connection), [signed])
      return [
        t('Cancelled on {name}.', { name }),
        t('Transaction {hash}', { hash }),
        t('Your signature is in the field of step 2. Apply it on every other network of the account, too.'),
      ]
    })

  part.show('new')
  return { element: part.element(), check, state: part.state }
}

function stateOf({ view, messages: { changes, recovery } }: Reading): PartState {
  const progress = recovery && progressOf(view, recovery)
  if (nextChanges(view, changes).length > 0 || progress === 'pending' || progress === 'ready') return 'ready'
  if (progress === 'executed') return 'done'
  if (progress === 'running' || progress === 'waiting') return 'waiting'
  if (progress !== undefined) return 'problem'
  return changes.length > 0 && view.sequence > (changes.at(-1)?.sequence ?? 0n) ? 'done' : 'nothing'
}

/** The state of one network, a sentence a line. */
function describe({ view, messages: { changes, recovery } }: Reading): readonly string[] {
  const { state, sequence, guardians, running, now } = view
  const owners = [...state.eoas, ...state.contracts].join(', ')
  const next = nextChanges(view, changes)
  const time = timeInWords(running?.readyAt ?? 0)
  return [
    t('Owners: {owners}.', { owners }),
    guardians ? t('It has guardians.') : t('It has no guardians.'),
    ...(state.deployed ? [] : [t('The account is not deployed here yet; that is done first.')]),
    running
      ? now < running.readyAt
        ? t('A recovery runs. It can be executed from {time} on.', { time })
        : t('A recovery is ready: anyone can execute it. Its delay ended on {time}.', { time })
      : t('No recovery runs.'),
    ...(recovery ? [progressInWords[progressOf(view, recovery)]()] : []),
    ...next.map((signed) => t('Can be applied: {change}', { change: changeInWords(signed.change) })),
    ...(changes.length > 0 && next.length === 0
      ? [
          t(
            'Changes made here so far: {count}. What you pasted is applied already, or an earlier one is missing.',
            {
              count: sequence,
            },
          ),
        ]
      : []),
  ]
}

const progressInWords: Readonly<Record<RecoveryProgress, () => string>> = {
  waiting: () => t('The recovery that you entered waits for an earlier change.'),
  pending: () => t('The recovery that you entered can be started.'),
  running: () => t('The recovery that you entered is the one that runs.'),
  ready: () => t('The recovery that you entered is ready.'),
  'other-running': () => t('Another recovery runs than the one that you entered.'),
  executed: () => t('The recovery that you entered was executed: its owners are the only ones.'),
  over: () =>
    t(
      'The recovery that you entered does not count any more: an owner changed something since, its guardians took it back, or its time is over.',
    ),
}

function changeInWords(change: OwnerChange): string {
  switch (change.kind) {
    case 'addOwner':
      return t('adds the owner {owner}', { owner: ownerInWords(change.owner) })
    case 'removeOwner':
      return t('removes the owner {owner}', { owner: ownerInWords(change.owner) })
    case 'replaceOwner':
      return t('replaces the owner {old} by {added}', {
        old: ownerInWords(change.old),
        added: ownerInWords(change.added),
      })
    case 'setGuardians': {
      const { members, threshold, delay } = change.guardians
      if (members.length === 0) return t('removes all guardians')
      return t('sets guardians: {threshold} of {members}; days to wait: {days}', {
        threshold,
        members: members.join(', '),
        days: delay / 86_400,
      })
    }
    case 'setThreshold':
      return t('asks for the signatures of {threshold} owners', { threshold: change.threshold })
    case 'revokeSessions':
      return t('ends all session keys')
    case 'cancel':
      return t('cancels the recovery that runs')
  }
}
