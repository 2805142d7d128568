/** What the first page shows. Each command is one that the tests run, in a block that a document marks with `run`. */
export const doors = [
  {
    name: 'Embed it',
    text: 'Passkey accounts and payments in your app, on your own domain.',
    command: 'npx pnpm pack:packages @lanyard/react artifacts/packages',
    link: { text: 'Your app, in five minutes', to: '/tutorial' },
  },
  {
    name: 'Run it',
    text: 'One command starts networks, service, wallet and console.',
    command: 'npm start',
    link: { text: 'From your laptop to Base', to: '/guides/run-it-on-base' },
  },
  {
    name: 'Use it',
    text: 'The wallet: send, receive, and keep access if a phone is lost.',
    command: 'http://localhost:3000',
    link: { text: 'What the wallet does', to: '/wallet' },
  },
] as const

/** What people ask most, and the page that answers. */
export const asked = [
  { text: 'Next.js', to: '/guides/next-js' },
  { text: 'lost passkey', to: '/guides/recover-a-lost-passkey' },
  { text: 'who pays gas', to: '/guides/sponsor-gas' },
  { text: 'session limits', to: '/session-keys' },
  { text: 'logo', to: '/brand' },
] as const
