import { useServiceQuery } from './use-service-query.ts'

/** The networks of the service: names, explorers, coins. They are read once. */
export const useNetworks = () =>
  useServiceQuery({
    key: ['networks'],
    read: async (client, options) => (await client.system.networks({}, options)).networks,
  })
