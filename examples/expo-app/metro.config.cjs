const { getDefaultConfig, mergeConfig } = require('@react-native/metro-config')
const { resolve } = require('node:path')

/** The packages of this repository are links. In a folder of your own, the defaults are enough. */
module.exports = mergeConfig(getDefaultConfig(__dirname), {
  watchFolders: [resolve(__dirname, '../..')],
})
