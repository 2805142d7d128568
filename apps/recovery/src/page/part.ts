import { t } from '../words.ts'
import { make } from './dom.ts'
import { problemNotice } from './problem.ts'

/** How far one network is. */
export type PartState = 'new' | 'working' | 'nothing' | 'ready' | 'waiting' | 'done' | 'problem'

const badges: Readonly<Record<PartState, () => string>> = {
  new: () => t('Not checked yet'),
  working: () => t('Working…'),
  nothing: () => t('Nothing to do'),
  ready: () => t('Ready for you'),
  waiting: () => t('Waiting'),
  done: () => t('Done'),
  problem: () => t('Needs you'),
}

/** What can be done on one network: its state, its buttons, and what happened last. */
export interface Part {
  readonly element: HTMLElement
  readonly state: () => PartState
  /** Reads the network anew. */
  readonly check: () => Promise<void>
}

interface PartParameters {
  readonly name: string
  readonly buttons: readonly HTMLButtonElement[]
  /** Which of them the person can use, after what was read. */
  readonly usable: () => readonly HTMLButtonElement[]
  readonly onState: () => void
}

export function createPart({ name, buttons, usable, onState }: PartParameters) {
  const status = make('div', { role: 'status' })
  /** The last question before anything is signed or sent. */
  const confirm = make('div', { className: 'note', role: 'alert' })
  const badge = make('span', { className: 'badge' })
  let state: PartState = 'new'
  const show = (next: PartState) => {
    state = next
    badge.textContent = badges[next]()
    badge.dataset.state = next
    const shown = usable()
    for (const button of buttons) {
      button.hidden = !shown.includes(button)
      button.disabled = next === 'working'
    }
    onState()
  }
  const say = (title: string | undefined, ...groups: readonly (readonly string[])[]) =>
    status.replaceChildren(
      ...(title ? [make('p', { textContent: title })] : []),
      ...groups
        .filter((lines) => lines.length > 0)
        .map((lines) => make('ul', {}, ...lines.map((line) => make('li', {}, line)))),
    )
  return {
    status,
    confirm,
    show,
    say,
    state: () => state,
    /** Runs one action at a time, and shows what is wrong beside the button that started it. */
    attempt: async (action: () => Promise<PartState>) => {
      confirm.replaceChildren()
      say(undefined)
      show('working')
      try {
        show(await action())
      } catch (error) {
        status.replaceChildren(problemNotice(error))
        show('problem')
      }
    },
    /** Asks once more, with what will be done in words. */
    ask: (lines: readonly (Node | string)[], label: string, action: () => void) => {
      confirm.replaceChildren(
        ...lines.map((line) => make('p', {}, line)),
        make(
          'div',
          { className: 'buttons' },
          make('button', { type: 'button', textContent: `${label} ${name}`, onclick: action }),
          make('button', {
            type: 'button',
            className: 'secondary',
            textContent: t('No'),
            onclick: () => confirm.replaceChildren(),
          }),
        ),
      )
      confirm.querySelector('button')?.focus()
    },
    element: (...further: readonly Node[]) =>
      make(
        'div',
        { className: 'part' },
        make('p', { className: 'state' }, badge),
        status,
        make('div', { className: 'buttons' }, ...buttons),
        confirm,
        ...further,
      ),
  }
}
