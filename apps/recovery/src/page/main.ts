/** The page that recovers an account: plain DOM elements, and the same steps as the script. */
import { type RecoveryKit, readRecoveryKit } from '../kit/recovery-kit.ts'
import { t } from '../words.ts'
import { byId, chosen, make } from './dom.ts'
import { startLanguage } from './language.ts'
import { connectionFields, movePart } from './move-part.ts'
import { ownershipPart } from './ownership-part.ts'
import type { Part } from './part.ts'
import { problemNotice } from './problem.ts'
import { signedPart } from './signed-part.ts'
import { isWithin } from './signers/browser-passkey.ts'
import { likelySigner, pageSigners } from './signers/page-signers.ts'

const form = byId('form', HTMLFormElement)
const kitFile = byId('kit-file', HTMLInputElement)
const kitText = byId('kit-text', HTMLTextAreaElement)
const kitStatus = byId('kit-status', HTMLElement)
const networks = byId('networks', HTMLElement)
const signerKeyField = byId('signer-key-field', HTMLElement)
const payerKeyField = byId('payer-key-field', HTMLElement)

// What a website shows, its operator can change: only the file takes words and keys.
const isFile = window.location.protocol === 'file:'
// The same address again gives the bytes whose hash is published, whatever the file is named there.
byId('save', HTMLAnchorElement).href = window.location.href
for (const element of document.querySelectorAll(`[data-only="${isFile ? 'website' : 'file'}"]`))
  element.remove()

type Task = 'move' | 'signed' | 'owners'

let kit: RecoveryKit | undefined
let parts: Readonly<Record<Task, readonly Part[]>> = { move: [], signed: [], owners: [] }

const task = (): Task => {
  const value = chosen(form, 'task')
  return value === 'owners' || value === 'signed' ? value : 'move'
}
const choose = (name: string, value: string) => {
  for (const input of form.querySelectorAll<HTMLInputElement>(`input[name="${name}"]`))
    input.checked = input.value === value
}

function openKit(text: string): void {
  try {
    kit = readRecoveryKit(text)
  } catch (error) {
    kit = undefined
    kitStatus.replaceChildren(problemNotice(error))
    networks.replaceChildren()
    parts = { move: [], signed: [], owners: [] }
    show()
    return
  }
  choose('signer', likelySigner(worksHere(kit), isFile))
  showNetworks(kit)
  show()
}

const worksHere = ({ rpId }: RecoveryKit) => rpId !== undefined && isWithin(window.location.hostname, rpId)

function showNetworks(opened: RecoveryKit): void {
  const names = opened.networks.map(({ name }) => name).join(', ')
  kitStatus.replaceChildren(
    make('p', { className: 'good' }, t('The address matches the content of the kit.')),
    make('p', {}, t('Account'), ' ', make('strong', { className: 'mono', textContent: opened.account })),
    make('p', { className: 'hint' }, t('Networks: {names}. They are filled in below.', { names })),
  )
  const cards = opened.networks.map((network) => {
    const connection = connectionFields(network)
    const made = {
      move: movePart(opened, network, connection, showProgress),
      signed: signedPart(opened, network, connection, showProgress),
      owners: ownershipPart(opened, network, connection, showProgress),
    }
    for (const [name, { element }] of Object.entries(made)) element.dataset.task = name
    const element = make(
      'div',
      { className: 'network' },
      make('h3', { textContent: network.name }),
      made.move.element,
      made.signed.element,
      made.owners.element,
      connection.element,
    )
    return { element, made }
  })
  networks.replaceChildren(...cards.map(({ element }) => element))
  parts = {
    move: cards.map(({ made }) => made.move),
    signed: cards.map(({ made }) => made.signed),
    owners: cards.map(({ made }) => made.owners),
  }
}

/** Shows only what the current choices need. */
function show(): void {
  const signer = pageSigners[chosen(form, 'signer')]
  const payer = chosen(form, 'payer')
  for (const id of ['after-kit-2', 'after-kit-3']) byId(id, HTMLElement).hidden = kit === undefined
  for (const hint of form.querySelectorAll<HTMLElement>('[data-before-kit]')) hint.hidden = kit !== undefined
  byId('move-fields', HTMLElement).hidden = task() !== 'move'
  byId('signed-fields', HTMLElement).hidden = task() !== 'signed'
  byId('owners-fields', HTMLElement).hidden = task() !== 'owners'
  byId('signer', HTMLElement).hidden = task() === 'signed'
  for (const part of networks.querySelectorAll<HTMLElement>('[data-task]'))
    part.hidden = part.dataset.task !== task()
  for (const field of networks.querySelectorAll<HTMLElement>('[data-bundler]'))
    field.hidden = payer !== 'bundler'
  byId('signer-legend', HTMLElement).textContent =
    task() === 'move' ? t('How do you sign?') : t('How do you sign, to cancel a recovery?')
  signerKeyField.hidden = !signer?.hasKey || task() === 'signed'
  payerKeyField.hidden = payer !== 'key' && payer !== 'carrier'
  const isElsewhere =
    task() !== 'signed' &&
    kit !== undefined &&
    signer?.isBoundToDomain &&
    !worksHere(kit) &&
    kit.rpId !== undefined
  byId('passkey-note', HTMLElement).hidden = !isElsewhere
  byId('passkey-text', HTMLElement).textContent = t(
    'The account’s passkeys work on {domain} only. This page is here: {here}.',
    {
      domain: kit?.rpId ?? '',
      here: window.location.hostname || t('a file on this computer'),
    },
  )
  showProgress()
}

function showProgress(): void {
  const states = parts[task()].map(({ state }) => state())
  const done = states.filter((state) => state === 'done' || state === 'nothing').length
  const progress = byId('progress', HTMLProgressElement)
  progress.max = Math.max(states.length, 1)
  progress.value = done
  const text = t('{done} of {total} networks need nothing more', { done, total: states.length })
  progress.setAttribute('aria-label', text)
  const line = byId('progress-text', HTMLElement)
  if (line.textContent !== text) line.textContent = text
  byId('check-all', HTMLButtonElement).disabled = states.includes('working')
}

kitFile.addEventListener('change', async () => {
  const [file] = kitFile.files ?? []
  if (file) openKit(await file.text())
})
// A paste counts at once, without leaving the field. An empty field is not a wrong kit.
kitText.addEventListener('input', () => {
  if (kitText.value.trim() !== '') openKit(kitText.value)
})
byId('check-all', HTMLButtonElement).addEventListener('click', () => {
  for (const { check } of parts[task()]) void check()
})
form.addEventListener('change', show)
form.addEventListener('submit', (event) => event.preventDefault())
// Browsers keep a page that was left, to show it again: without the keys.
addEventListener('pagehide', () => {
  for (const input of form.querySelectorAll<HTMLInputElement>('input[type=password]')) input.value = ''
})
startLanguage('Recover your account', () => {
  if (kit) showNetworks(kit)
  show()
})
show()
