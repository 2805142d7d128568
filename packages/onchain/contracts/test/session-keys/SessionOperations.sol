// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {PackedUserOperation} from "../../interfaces/ERC4337.sol";
import {ISafe4337Module as IModule} from "../../interfaces/ISafe.sol";
import {Call} from "../../session-keys/Session.sol";
import {SessionKeysParts as SessionKeys} from "../../session-keys/SessionKeysParts.sol";
import {Vm} from "../Test.sol";
import {RealContracts} from "../smart-balance/RealContracts.sol";

/// @notice Building, signing and including operations of sessions.
abstract contract SessionOperations is RealContracts {
    /// @dev On P-256.
    uint256 internal constant P256_KEY = 0x9256;
    address payable internal constant BUNDLER = payable(address(0xB00D1E));
    bytes32 internal constant REVERT_REASON =
        keccak256("UserOperationRevertReason(bytes32,address,uint256,bytes)");

    /// @dev The inputs of an operation under test.
    struct Draft {
        address account;
        bytes32 key;
        uint256 signingKey;
        uint192 nonceKey;
        uint64 sequence;
        uint48 validAfter;
        uint48 validUntil;
        Call[] calls;
        uint128 verificationGasLimit;
        uint128 callGasLimit;
        uint128 preVerificationGas;
        /// Without a base fee, the priority fee is the price; 0 means maxFeePerGas.
        uint128 maxPriorityFeePerGas;
        uint128 maxFeePerGas;
        bytes paymasterAndData;
    }

    SessionKeys internal sessionKeys;

    function _callDataOf(Draft memory draft) internal view returns (bytes memory) {
        return abi.encodeCall(
            IModule.executeUserOpWithErrorString,
            (address(sessionKeys), 0, abi.encodeCall(sessionKeys.execute, (draft.key, draft.calls)), 0)
        );
    }

    /// @dev Signs the hash that the real module computes.
    function _build(Draft memory draft) internal view returns (PackedUserOperation memory op) {
        return _sign(draft, _unsigned(draft));
    }

    function _unsigned(Draft memory draft) internal view returns (PackedUserOperation memory op) {
        op.sender = draft.account;
        op.nonce = uint256(draft.nonceKey) << 64 | draft.sequence;
        op.callData = _callDataOf(draft);
        op.accountGasLimits = bytes32(uint256(draft.verificationGasLimit) << 128 | draft.callGasLimit);
        op.preVerificationGas = draft.preVerificationGas;
        op.gasFees = bytes32(uint256(_priorityFeeOf(draft)) << 128 | draft.maxFeePerGas);
        op.paymasterAndData = draft.paymasterAndData;
        op.signature = abi.encodePacked(draft.validAfter, draft.validUntil);
    }

    /// @dev Signs any `op` with the signature that `draft` would have.
    function _sign(Draft memory draft, PackedUserOperation memory op)
        internal
        view
        returns (PackedUserOperation memory)
    {
        bytes memory signature = _sessionSignature(draft, module.getOperationHash(op));
        op.signature = bytes.concat(op.signature, _inSafe(signature));
        return op;
    }

    /// @dev Safe's encoding of a contract's signature.
    function _inSafe(bytes memory signature) internal view returns (bytes memory) {
        return abi.encodePacked(
            uint256(uint160(address(sessionKeys))), uint256(65), uint8(0), signature.length, signature
        );
    }

    function _sessionSignature(Draft memory draft, bytes32 hash) internal pure returns (bytes memory) {
        return bytes.concat(_head(draft), _tail(draft), _keySignature(draft.signingKey, hash));
    }

    function _head(Draft memory draft) private pure returns (bytes memory) {
        return abi.encodePacked(
            draft.key,
            draft.sequence,
            draft.validAfter,
            draft.validUntil,
            draft.verificationGasLimit,
            draft.callGasLimit,
            draft.preVerificationGas,
            _priorityFeeOf(draft),
            draft.maxFeePerGas
        );
    }

    function _priorityFeeOf(Draft memory draft) private pure returns (uint128) {
        return draft.maxPriorityFeePerGas == 0 ? draft.maxFeePerGas : draft.maxPriorityFeePerGas;
    }

    function _tail(Draft memory draft) private pure returns (bytes memory) {
        bytes memory calls = _encodeCalls(draft);
        return abi.encodePacked(
            uint32(calls.length), calls, uint32(draft.paymasterAndData.length), draft.paymasterAndData
        );
    }

    /// @dev The call data of `execute` after selector and key.
    function _encodeCalls(Draft memory draft) internal pure returns (bytes memory encoded) {
        bytes memory arguments = abi.encode(draft.key, draft.calls);
        encoded = new bytes(arguments.length - 32);
        for (uint256 i; i < encoded.length; ++i) {
            encoded[i] = arguments[32 + i];
        }
    }

    function _keySignature(uint256 signingKey, bytes32 hash) internal pure returns (bytes memory) {
        if (signingKey == P256_KEY) {
            (bytes32 rp, bytes32 sp) = vm.signP256(P256_KEY, sha256(abi.encode(hash)));
            (uint256 x, uint256 y) = vm.publicKeyP256(P256_KEY);
            return abi.encodePacked(rp, sp, x, y);
        }
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(signingKey, hash);
        return abi.encodePacked(r, s, v);
    }

    function _handle(PackedUserOperation memory op) internal {
        PackedUserOperation[] memory ops = new PackedUserOperation[](1);
        ops[0] = op;
        entryPoint.handleOps(ops, BUNDLER);
    }

    /// @dev Includes the operation and returns the revert data of its execution; empty if it did not revert.
    function _handled(PackedUserOperation memory op) internal returns (bytes memory reason) {
        vm.recordLogs();
        _handle(op);
        Vm.Log[] memory logs = vm.getRecordedLogs();
        for (uint256 i; i < logs.length; ++i) {
            if (logs[i].topics[0] == REVERT_REASON) (, reason) = abi.decode(logs[i].data, (uint256, bytes));
        }
    }

    function _expectRefused(PackedUserOperation memory op) internal {
        vm.expectRevert(abi.encodeWithSignature("FailedOp(uint256,string)", 0, "AA24 signature error"));
        _handle(op);
    }

    /// @dev Asks for `draft`'s own hash, as the account would, and expects a rejection.
    function _expectRefusal(Draft memory draft, bytes memory revertData) internal {
        bytes memory data = _dataOf(_unsigned(draft));
        bytes memory signature = _sessionSignature(draft, keccak256(data));
        vm.prank(draft.account);
        vm.expectRevert(revertData);
        sessionKeys.isValidSignature(data, signature);
    }

    /// @dev 0x1901 ‖ domain separator ‖ struct hash, computed independently of the library.
    function _dataOf(PackedUserOperation memory op) internal view returns (bytes memory data) {
        bytes32 domain = keccak256(
            abi.encode(
                keccak256("EIP712Domain(uint256 chainId,address verifyingContract)"), block.chainid, module
            )
        );
        bytes memory first = abi.encode(
            bytes32(0xc03dfc11d8b10bf9cf703d558958c8c42777f785d998c62060d85a4f0ef6ea7f),
            op.sender,
            op.nonce,
            keccak256(op.initCode),
            keccak256(op.callData),
            uint256(op.accountGasLimits) >> 128,
            uint128(uint256(op.accountGasLimits)),
            op.preVerificationGas
        );
        bytes memory second = abi.encode(
            uint256(op.gasFees) >> 128,
            uint128(uint256(op.gasFees)),
            keccak256(op.paymasterAndData),
            _uint48At(op.signature, 0),
            _uint48At(op.signature, 6),
            entryPoint
        );
        return abi.encodePacked("\x19\x01", domain, keccak256(bytes.concat(first, second)));
    }

    function _uint48At(bytes memory source, uint256 offset) private pure returns (uint256 value) {
        for (uint256 i; i < 6; ++i) {
            value = value << 8 | uint8(source[offset + i]);
        }
    }
}
