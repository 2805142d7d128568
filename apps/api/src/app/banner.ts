import { devAccounts } from '@lanyard/devnet'
import type { Service } from './server.ts'

const defaultPort = 3000

/** The text that the service prints after its start: where to continue. */
export function banner({ url, port, services }: Service): string {
  const { env, networks } = services
  const list = networks.list().map(({ config }) => config)
  const [account] = devAccounts
  if (!env.ROLES.includes('api')) return `\n  Lanyard is ready:  ${env.ROLES.join(', ')}, without HTTP\n\n`
  const funded = list.some(({ local }) => local) && account
  return [
    '',
    `  Lanyard is ready:  ${url}`,
    ...(env.PORT === undefined && port !== defaultPort
      ? [`                     (port ${defaultPort} is taken; set PORT to choose one)`]
      : []),
    `  Web wallet:        http://localhost:${port}`,
    `  Documentation:     ${url}/docs`,
    `  API reference:     ${url}/docs/reference`,
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
