import { devAccounts } from '@lanyard/devnet'
import { type Service, usualPort } from './server.ts'

/** The text that the service prints after its start: where to continue. */
export function banner({ url, port, services, console }: Service): string {
  const { env, networks } = services
  const list = networks.list().map(({ config }) => config)
  const [account] = devAccounts
  const consoleLines = console
    ? [
        `  Console:           ${console.origin}`,
        ...(console.invitation
          ? ['  Your invitation to it, for local use only; it works once:', `    ${console.invitation}`]
          : []),
      ]
    : []
  if (!env.ROLES.includes('api')) {
    const [first, ...rest] = [`  Lanyard is ready:  ${env.ROLES.join(', ')}, without HTTP`, ...consoleLines]
    return ['', first, ...rest, '', ''].join('\n')
  }
  const funded = list.some(({ local }) => local) && account
  return [
    '',
    `  Lanyard is ready:  ${url}`,
    ...(env.PORT === undefined && port !== usualPort
      ? [`                     (port ${usualPort} is taken; set PORT to choose one)`]
      : []),
    `  Web wallet:        http://localhost:${port}`,
    `  Documentation:     ${url}/docs`,
    `  API reference:     ${url}/docs/reference`,
    ...consoleLines,
    '',
    '  Networks',
    ...list.map(
      ({ chainId, name, local, rpcUrls }) => `    ${chainId}  ${name}${local ? `  ${rpcUrls[0]}` : ''}`,
    ),
    ...(funded
      ? [
          '',
          '  Funded on the local networks. PUBLIC key, known to everyone: never send real money there.',
          `    ${account.address}`,
          `    ${account.privateKey}`,
        ]
      : []),
    '',
    '  LOG_LEVEL=info shows every request. Ctrl+C ends everything.',
    '',
  ].join('\n')
}
