import { AppRegistry } from 'react-native'
import { App } from './src/app.tsx'

AppRegistry.registerComponent('main', () => App)
