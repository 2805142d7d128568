// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {PackedUserOperation} from "../../interfaces/ERC4337.sol";
import {IEpochs} from "../../interfaces/IEpochs.sol";
import {Test} from "../Test.sol";

interface IEntryPoint {
    struct UserOpsPerAggregator {
        PackedUserOperation[] userOps;
        address aggregator;
        bytes signature;
    }

    function handleOps(PackedUserOperation[] calldata ops, address payable beneficiary) external;
    function handleAggregatedOps(UserOpsPerAggregator[] calldata ops, address payable beneficiary) external;
    function getNonce(address sender, uint192 key) external view returns (uint256);
    function balanceOf(address account) external view returns (uint256);
    function depositTo(address account) external payable;
}

interface ISafeProxyFactory {
    function createProxyWithNonce(address singleton, bytes calldata initializer, uint256 saltNonce)
        external
        returns (address);
}

interface ISafe {
    function setup(
        address[] calldata owners,
        uint256 threshold,
        address to,
        bytes calldata data,
        address fallbackHandler,
        address paymentToken,
        uint256 payment,
        address payable paymentReceiver
    ) external;
    function swapOwner(address previous, address old, address next) external;
}

interface ISafe4337Module {
    function executeUserOp(address to, uint256 value, bytes calldata data, uint8 operation) external;
    function getOperationHash(PackedUserOperation calldata userOp) external view returns (bytes32);
}

interface IModuleSetup {
    function enableModules(address[] calldata modules) external;
}

interface ISharedSigner {
    struct PasskeyConfiguration {
        uint256 x;
        uint256 y;
        uint176 verifiers;
    }

    function configure(PasskeyConfiguration calldata signer) external;
}

/// @dev Runs calls in the account that delegatecalls it, as MultiSend does.
contract Batch {
    function run(address[] calldata targets, bytes[] calldata data) external {
        for (uint256 i; i < targets.length; ++i) {
            (bool success, bytes memory returned) = targets[i].call(data[i]);
            if (success) continue;
            assembly ("memory-safe") {
                revert(add(returned, 32), mload(returned))
            }
        }
    }
}

/// @dev The setup of a passkey's Safe: modules and shared signer, delegatecalled.
contract PasskeySetup {
    function run(
        address setup,
        address module,
        address signer,
        ISharedSigner.PasskeyConfiguration calldata key
    ) external {
        address[] memory modules = new address[](1);
        modules[0] = module;
        _delegate(setup, abi.encodeCall(IModuleSetup.enableModules, (modules)));
        _delegate(signer, abi.encodeCall(ISharedSigner.configure, (key)));
    }

    function _delegate(address target, bytes memory data) private {
        (bool success,) = target.delegatecall(data);
        require(success);
    }
}

/// @notice The compiled EntryPoint, Safe and its modules, as shipped in their npm packages.
abstract contract RealContracts is Test {
    IEntryPoint internal entryPoint;
    ISafe4337Module internal module;
    address internal sharedSigner;
    /// @dev FreshCryptoLib's verifier: the EVM of these tests has no P-256 precompile.
    address internal p256Verifier;
    address internal moduleSetup;
    address internal singleton;
    ISafeProxyFactory internal proxyFactory;
    Batch internal batch;
    PasskeySetup internal passkeySetup;
    /// @dev Ours, and on every network of the tests the same.
    IEpochs internal epochs;

    function _deployReal() internal {
        string memory safe = "node_modules/@safe-global/safe-contracts/build/artifacts/contracts/";
        string memory module4337 = "node_modules/@safe-global/safe-4337/build/artifacts/contracts/";
        entryPoint = IEntryPoint(
            _create(_code("node_modules/@account-abstraction/contracts/artifacts/EntryPoint.json"), "")
        );
        module = ISafe4337Module(
            _create(
                _code(string.concat(module4337, "Safe4337Module.sol/Safe4337Module.json")),
                abi.encode(entryPoint)
            )
        );
        moduleSetup =
            _create(_code(string.concat(module4337, "SafeModuleSetup.sol/SafeModuleSetup.json")), "");
        singleton = _create(_code(string.concat(safe, "Safe.sol/Safe.json")), "");
        proxyFactory = ISafeProxyFactory(
            _create(_code(string.concat(safe, "proxies/SafeProxyFactory.sol/SafeProxyFactory.json")), "")
        );
        sharedSigner = _create(
            _code(
                "node_modules/@safe-global/safe-passkey/build/artifacts/contracts/4337/SafeWebAuthnSharedSigner.sol/SafeWebAuthnSharedSigner.json"
            ),
            ""
        );
        p256Verifier = _create(
            _code(
                "node_modules/@safe-global/safe-passkey/build/artifacts/contracts/verifiers/FCLP256Verifier.sol/FCLP256Verifier.json"
            ),
            ""
        );
        batch = new Batch();
        passkeySetup = new PasskeySetup();
        epochs = IEpochs(_create(_creationCode("Epochs"), ""));
    }

    function _createSafe(address owner) internal returns (address) {
        address[] memory modules = new address[](1);
        modules[0] = address(module);
        return _createSafe(owner, moduleSetup, abi.encodeCall(IModuleSetup.enableModules, (modules)));
    }

    /// @param verifiers uint16 precompile, then the address of the fallback.
    function _createPasskeySafe(uint256 x, uint256 y, uint176 verifiers) internal returns (address) {
        bytes memory data = abi.encodeCall(
            PasskeySetup.run,
            (moduleSetup, address(module), sharedSigner, ISharedSigner.PasskeyConfiguration(x, y, verifiers))
        );
        return _createSafe(sharedSigner, address(passkeySetup), data);
    }

    function _createSafe(address owner, address to, bytes memory data) private returns (address) {
        address[] memory owners = new address[](1);
        owners[0] = owner;
        bytes memory initializer = abi.encodeCall(
            ISafe.setup, (owners, 1, to, data, address(module), address(0), 0, payable(address(0)))
        );
        return proxyFactory.createProxyWithNonce(singleton, initializer, 0);
    }

    function _code(string memory path) internal view returns (bytes memory) {
        return vm.parseJsonBytes(vm.readFile(path), ".bytecode");
    }
}
