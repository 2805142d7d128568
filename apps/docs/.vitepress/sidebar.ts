import { documentedPackages } from './pages.ts'

export const item = (text: string, link: string) => ({ text, link })

const published = (name: string) => ({
  text: `@lanyard/${name}`,
  link: `/packages/${name}`,
  collapsed: true,
  items: [item('API', `/api/${name}`)],
})

interface Item {
  readonly text: string
  readonly link: string
  readonly items?: readonly Item[]
}

/** Every page of a group, those below another page included. */
export const linksOf = (items: readonly Item[]): readonly string[] =>
  items.flatMap(({ link, items: below = [] }) => [link, ...linksOf(below)])

/**
 * Every page except the ones that another page lists (endpoints, decisions, audit). A test reports missing pages.
 */
export const sidebar = [
  {
    text: 'Start',
    items: [
      item('Overview', '/'),
      item('Quick start', '/quick-start'),
      item('Your app with passkey accounts', '/tutorial'),
      item('Concepts', '/concepts'),
      item('The wallet', '/wallet'),
      item('For coding agents', '/skill'),
      item('Questions', '/questions'),
    ],
  },
  {
    text: 'Guides',
    items: [
      item('Recover a lost passkey', '/guides/recover-a-lost-passkey'),
      item('Sponsor gas', '/guides/sponsor-gas'),
      item('Let an agent pay', '/guides/let-an-agent-pay'),
      item('Run it on Base', '/guides/run-it-on-base'),
      item('Keep your address with EIP-7702', '/guides/keep-your-address'),
      item('Use a Safe that you have', '/guides/use-a-safe-you-have'),
      item('Take over the users of another service', '/guides/import-accounts'),
      item('Next.js', '/guides/next-js'),
      item('Vanilla JavaScript', '/guides/vanilla-javascript'),
      item('Apps on phones', '/guides/apps-on-phones'),
      item('Sign in with your login', '/guides/sign-in-with-your-login'),
      item('Call it from Python or Go', '/guides/from-python-or-go'),
      item('Move from another service', '/guides/move-from-another-service'),
      item('Leave Lanyard', '/guides/walk-away'),
    ],
  },
  {
    text: 'Build on it',
    items: [
      item('Endpoints', '/endpoints/'),
      item('Errors', '/errors'),
      item('Clients, viem, ERC-4337', '/clients'),
      item('Connect a page to the wallet', '/connect'),
      item('Events', '/events'),
      item('Smart balance', '/smart-balance'),
      item('Session keys', '/session-keys'),
      item('Owners and guardians', '/guardians'),
    ],
  },
  {
    text: 'Packages',
    items: [
      item('All packages', '/packages'),
      item('create-lanyard', '/packages/create-lanyard'),
      ...documentedPackages.map(published),
      item('Recovery without the service', '/recovery'),
    ],
  },
  {
    text: 'Examples',
    items: [
      item('A first transaction', '/examples/first-transaction'),
      item('An app with its own accounts', '/examples/embedded-app'),
      item('A page without a framework', '/examples/vanilla-app'),
      item('A page that uses the wallet', '/examples/dapp'),
      item('An agent with a session key', '/examples/session-agent'),
      item('An agent that buys', '/examples/agent'),
      item('An API that is paid', '/examples/paid-api'),
      item('Leave without the operator', '/examples/forced-exit'),
    ],
  },
  {
    text: 'Run it',
    items: [
      item('Self-hosting', '/self-hosting'),
      item('Networks', '/networks'),
      item('Providers', '/providers'),
      item('Gas policies', '/gas-policies'),
      item('Configuration', '/configuration'),
      item('Brand the wallet', '/brand'),
      item('Operations', '/operations'),
      item('Database', '/database'),
      item('Alerts', '/alerts'),
      item('Console', '/console'),
      item('Ledger', '/ledger'),
      item('Commands', '/cli'),
      item('Keys', '/keys'),
      item('Screening', '/screening'),
      item('Prices', '/prices'),
      item('Scaling', '/scaling'),
    ],
  },
  {
    text: 'Trust it',
    items: [
      item('Who can take what', '/security'),
      item('For auditors', '/audit/'),
      item('Promises', '/promises'),
      item('Benchmarks', '/benchmarks'),
      item('Unstable tests', '/unstable-tests'),
      item('Licences', '/licences'),
    ],
  },
  {
    text: 'Change it',
    items: [
      item('Contributing', '/contributing'),
      item('Architecture', '/architecture'),
      item('Changelog', '/changelog'),
    ],
  },
]
