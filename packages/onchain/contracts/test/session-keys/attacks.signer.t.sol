// SPDX-License-Identifier: MIT
// @promise 13
pragma solidity ^0.8.28;

import {PackedUserOperation} from "../../interfaces/ERC4337.sol";
import {Validation} from "../../session-keys/Validation.sol";
import {ISafe4337Module} from "../smart-balance/RealContracts.sol";
import {SessionKeysTest} from "./SessionKeysTest.sol";

interface ISafeTransactions {
    function nonce() external view returns (uint256);
    function encodeTransactionData(
        address to,
        uint256 value,
        bytes calldata data,
        uint8 operation,
        uint256 safeTxGas,
        uint256 baseGas,
        uint256 gasPrice,
        address gasToken,
        address refundReceiver,
        uint256 nonce
    ) external view returns (bytes memory);
    function execTransaction(
        address to,
        uint256 value,
        bytes calldata data,
        uint8 operation,
        uint256 safeTxGas,
        uint256 baseGas,
        uint256 gasPrice,
        address gasToken,
        address refundReceiver,
        bytes calldata signatures
    ) external returns (bool);
    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4);
}

/// @dev As an owner of the Safe, the contract is asked about everything that the Safe is asked about. The session's key
/// signs anything here; the guard is always that the contract builds the one operation itself and compares hashes.
contract SignerAttacksTest is SessionKeysTest {
    function setUp() public override {
        super.setUp();
        _grant(_session());
    }

    function test_attack1_execTransaction() public {
        Draft memory draft = _draft(_increment());
        ISafeTransactions safe = ISafeTransactions(account);
        bytes memory data = safe.encodeTransactionData(
            RECIPIENT, 1 ether, "", 0, 0, 0, 0, address(0), address(0), safe.nonce()
        );
        bytes memory signatures = _inSafe(_sessionSignature(draft, keccak256(data)));
        vm.expectRevert(abi.encodeWithSelector(Validation.OtherOperation.selector));
        safe.execTransaction(RECIPIENT, 1 ether, "", 0, 0, 0, 0, address(0), payable(0), signatures);
    }

    /// @dev A call of execute through execTransaction would escape the count of operations.
    function test_attack1_execTransactionOfExecute() public {
        Draft memory draft = _draft(_increment());
        ISafeTransactions safe = ISafeTransactions(account);
        bytes memory call = abi.encodeCall(sessionKeys.execute, (_key(), _increment()));
        bytes memory data = safe.encodeTransactionData(
            address(sessionKeys), 0, call, 0, 0, 0, 0, address(0), address(0), safe.nonce()
        );
        bytes memory signatures = _inSafe(_sessionSignature(draft, keccak256(data)));
        vm.expectRevert(abi.encodeWithSelector(Validation.OtherOperation.selector));
        safe.execTransaction(address(sessionKeys), 0, call, 0, 0, 0, 0, address(0), address(0), signatures);
    }

    /// @dev Safe's messages, which Permit2 and logins verify through ERC-1271.
    function testFuzz_attack1_message(bytes32 hash) public {
        Draft memory draft = _draft(_increment());
        bytes32 domain = keccak256(
            abi.encode(
                keccak256("EIP712Domain(uint256 chainId,address verifyingContract)"), block.chainid, account
            )
        );
        bytes32 message =
            keccak256(abi.encode(keccak256("SafeMessage(bytes message)"), keccak256(abi.encode(hash))));
        bytes32 signed = keccak256(abi.encodePacked("\x19\x01", domain, message));
        bytes memory signatures = _inSafe(_sessionSignature(draft, signed));
        vm.expectRevert(abi.encodeWithSelector(Validation.OtherOperation.selector));
        ISafeTransactions(account).isValidSignature(hash, signatures);
    }

    /// @dev A session that signed a valid operation is asked about anything else with the same signature.
    function testFuzz_attack1_anyOtherData(bytes memory data) public {
        Draft memory draft = _draft(_increment());
        bytes memory signature = _sessionSignature(draft, module.getOperationHash(_unsigned(draft)));
        vm.startPrank(account);
        vm.expectRevert(abi.encodeWithSelector(Validation.OtherOperation.selector));
        sessionKeys.isValidSignature(data, signature);
        vm.expectRevert(abi.encodeWithSelector(Validation.OtherOperation.selector));
        sessionKeys.isValidSignature(data, _sessionSignature(draft, keccak256(data)));
    }

    function test_attack1_anotherModulesDomain() public {
        Draft memory draft = _draft(_increment());
        ISafe4337Module other = ISafe4337Module(
            _create(
                _code(
                    "node_modules/@safe-global/safe-4337/build/artifacts/contracts/Safe4337Module.sol/Safe4337Module.json"
                ),
                abi.encode(address(entryPoint))
            )
        );
        ISafe4337Module real = module;
        bytes memory own = _dataOf(_unsigned(draft));
        module = other;
        bytes memory data = _dataOf(_unsigned(draft));
        assertTrue(keccak256(data) == other.getOperationHash(_unsigned(draft)), "the other module's");
        module = real;
        assertTrue(keccak256(own) != keccak256(data), "another domain");
        _expectOther(account, data);
    }

    function test_attack5_anotherNetwork() public {
        Draft memory draft = _draft(_increment());
        PackedUserOperation memory op = _build(draft);
        bytes memory data = _dataOf(op);
        vm.chainId(block.chainid + 1);
        _expectOther(account, data);
        _expectRefused(op);
    }

    function test_attack5_anotherAccount() public {
        Draft memory draft = _draft(_increment());
        _grant(otherAccount, _key(), _session());
        _expectOther(otherAccount, _dataOf(_unsigned(draft)));
    }

    /// @dev Guard: the contract never approves a hash in a Safe, so Safe's other kind of contract signature is invalid.
    function test_attack1_approvedHash() public {
        Draft memory draft = _draft(_increment());
        PackedUserOperation memory op = _unsigned(draft);
        op.signature = bytes.concat(
            op.signature, abi.encodePacked(uint256(uint160(address(sessionKeys))), uint256(0), uint8(1))
        );
        _expectRefused(op);
    }

    /// @dev An owner may sign the same operation; the session's key alone is not an owner.
    function test_attack1_keyAsOwner() public {
        Draft memory draft = _draft(_increment());
        PackedUserOperation memory op = _unsigned(draft);
        op.signature = bytes.concat(op.signature, _keySignature(SESSION_KEY, module.getOperationHash(op)));
        _expectRefused(op);
    }

    function _expectOther(address asking, bytes memory data) private {
        Draft memory draft = _draft(_increment());
        bytes memory signature = _sessionSignature(draft, keccak256(data));
        vm.prank(asking);
        vm.expectRevert(abi.encodeWithSelector(Validation.OtherOperation.selector));
        sessionKeys.isValidSignature(data, signature);
    }
}
