export const item = (text: string, link: string) => ({ text, link })

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
    text: 'Run it',
    items: [
      item('Self-hosting', '/self-hosting'),
      item('Packages', '/packages'),
      item('Networks', '/networks'),
      item('Providers', '/providers'),
      item('Gas policies', '/gas-policies'),
      item('Configuration', '/configuration'),
      item('Operations', '/operations'),
      item('Alerts', '/alerts'),
      item('Commands', '/cli'),
      item('Keys', '/keys'),
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
      item('Dearest requests', '/dearest-requests'),
      item('Mutation testing', '/mutation-testing'),
      item('Mutants of the contracts', '/contract-mutants'),
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
