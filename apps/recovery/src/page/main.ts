/** The page that moves everything out of an account: plain DOM elements, and the same steps as the script. */
import { readRecoveryKit } from '../kit/recovery-kit.ts'
import { inWords } from '../recovery-error.ts'
import { byId, chosen } from './dom.ts'
import { networkCard } from './network-card.ts'
import { ownershipCard } from './ownership-card.ts'
import { isWithin } from './passkey-signer.ts'

const form = byId('form', HTMLFormElement)
const kitFile = byId('kit-file', HTMLInputElement)
const kitText = byId('kit-text', HTMLTextAreaElement)
const kitStatus = byId('kit-status', HTMLElement)
const networks = byId('networks', HTMLElement)
const owners = byId('owners', HTMLElement)

/** The domain of the kit's passkeys (WebAuthn RP ID). */
let rpId: string | undefined

function openKit(text: string): void {
  kitStatus.classList.remove('problem')
  try {
    const kit = readRecoveryKit(text)
    rpId = kit.rpId
    kitStatus.textContent = `Account ${kit.account}. The address matches the content of the kit.`
    networks.replaceChildren(...kit.networks.map((network) => networkCard(kit, network)))
    owners.replaceChildren(...kit.networks.map((network) => ownershipCard(kit, network)))
    if (kit.owner.kind === 'eoa') byId('signer-wallet', HTMLInputElement).checked = true
  } catch (error) {
    rpId = undefined
    kitStatus.classList.add('problem')
    kitStatus.textContent = inWords(error)
    networks.replaceChildren()
    owners.replaceChildren()
  }
  showFields()
}

/** Shows only the fields that the current choices need. */
function showFields(): void {
  const signer = chosen(form, 'signer')
  const payer = chosen(form, 'payer')
  byId('signer-key-field', HTMLElement).hidden = signer !== 'key'
  byId('payer-key-field', HTMLElement).hidden = payer !== 'key' && payer !== 'carrier'
  const here = window.location.hostname
  const wrongDomain = rpId !== undefined && signer.endsWith('passkey') && !isWithin(here, rpId)
  byId('passkey-note', HTMLElement).hidden = !wrongDomain
  byId('rp-id', HTMLElement).textContent = rpId ?? ''
  byId('here', HTMLElement).textContent = here || 'a file on this computer'
}

kitFile.addEventListener('change', async () => {
  const [file] = kitFile.files ?? []
  if (file) openKit(await file.text())
})
// A paste counts at once, without leaving the field. An empty field is not a wrong kit.
kitText.addEventListener('input', () => {
  if (kitText.value.trim() !== '') openKit(kitText.value)
})
form.addEventListener('change', showFields)
form.addEventListener('submit', (event) => event.preventDefault())
// The link saves the page as it was loaded, without any input.
byId('save', HTMLAnchorElement).href = URL.createObjectURL(
  new Blob([`<!doctype html>\n${pristine()}`], { type: 'text/html' }),
)
showFields()

/** The page's own source. This runs before anything has been entered. */
function pristine(): string {
  return document.documentElement.outerHTML
}
