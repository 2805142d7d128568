// SPDX-License-Identifier: MIT
// @promise 13
pragma solidity ^0.8.28;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {Execution} from "../../session-keys/Execution.sol";
import {SessionSignature} from "../../session-keys/libraries/SessionSignature.sol";
import {Allowance, Rule, RuleKind, Session} from "../../session-keys/Session.sol";
import {Validation} from "../../session-keys/Validation.sol";
import {Counter} from "../mocks/Targets.sol";
import {ISafeAccount, SessionKeysTest} from "./SessionKeysTest.sol";

/// @dev The last value that each limit allows and the first that it rejects, if no other test has both.
contract BoundariesTest is SessionKeysTest {
    uint256 private constant P256_N = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551;

    function test_lowestTarget() public {
        Rule memory rule = Rule(RuleKind.Call, address(0x10000), 0x12345678, address(0), 0);
        _grant(_sessionWith(rule));
        _execute(_calls(address(0x10000), 0, hex"12345678"));
        assertTrue(!sessionKeys.isForbiddenTarget(account, address(0x10000)), "allowed");
        assertTrue(sessionKeys.isForbiddenTarget(account, address(0xFFFF)), "the one below");
    }

    /// @dev Calls without value need no allowance of the native token.
    function test_noNativeAllowance() public {
        Session memory session =
            _sessionWith(Rule(RuleKind.Call, address(counter), Counter.increment.selector, address(0), 0));
        session.allowances = new Allowance[](0);
        _grant(session);
        _execute(_increment());
        assertEq(counter.count(), 1, "called");
    }

    function test_oneOperation() public {
        Session memory session = _session();
        session.maxOperations = 1;
        _grant(session);
        Draft memory draft = _draft(_increment());
        assertEq(_handled(_build(draft)), "", "the only one");
        draft.sequence = 1;
        _expectRefusal(draft, abi.encodeWithSelector(Validation.OperationsExhausted.selector));
    }

    /// @dev The owner used three nonces of the session's lane before the grant.
    function test_sequenceBelowTheFirst() public {
        bytes32 id = keccak256(abi.encode(account, _key(), uint64(1)));
        for (uint256 i; i < 3; ++i) {
            vm.prank(account);
            (bool success,) = address(entryPoint)
                .call(abi.encodeWithSignature("incrementNonce(uint192)", uint192(uint256(id))));
            assertTrue(success, "incremented");
        }
        _grant(_session());
        Draft memory draft = _draft(_increment());
        _expectAccepted(draft);
        draft.sequence = 2;
        _expectRefusal(draft, abi.encodeWithSelector(Validation.OperationsExhausted.selector));
        draft.sequence = 12;
        _expectAccepted(draft);
        draft.sequence = 13;
        _expectRefusal(draft, abi.encodeWithSelector(Validation.OperationsExhausted.selector));
    }

    /// @dev Each field of the signature's head has a different value, and its outermost bytes are not 0.
    function test_everyFieldOfTheSignature() public {
        Session memory session = _session();
        session.validAfter = 1;
        session.validUntil = type(uint48).max;
        session.maxOperations = type(uint32).max;
        session.paymaster = address(0x9A7);
        _grant(session);
        Draft memory draft = _draft(_increment());
        draft.paymasterAndData = abi.encodePacked(address(0x9A7), uint128(0x11), uint128(0x22));
        draft.sequence = 0xF1F2F3F4;
        draft.validAfter = 0x010203040506;
        draft.validUntil = 0xE1E2E3E4E5E6;
        draft.verificationGasLimit = 0x1112131415161718191a1b1c1d1e1f01;
        draft.callGasLimit = 0x2122232425262728292a2b2c2d2e2f02;
        draft.preVerificationGas = 0x3132333435363738393a3b3c3d3e3f03;
        draft.maxPriorityFeePerGas = 0x4142434445464748494a4b4c4d4e4f04;
        draft.maxFeePerGas = 0x5152535455565758595a5b5c5d5e5f05;
        _expectAccepted(draft);
    }

    /// @dev The session does not begin at a multiple of the period, so its periods do not either.
    function test_periodsBeginWithTheSession() public {
        vm.warp(block.timestamp + 1_234);
        uint256 start = block.timestamp;
        _grant(_session());
        for (uint256 period; period < 3; ++period) {
            vm.warp(start + period * 1 hours);
            _execute(_transfer(RECIPIENT, 100e6));
            vm.warp(start + (period + 1) * 1 hours - 1);
            vm.expectPartialRevert(Execution.AllowanceExceeded.selector);
            _execute(_transfer(RECIPIENT, 1));
        }
    }

    /// @dev A base fee can raise what the account pays up to maxFeePerGas, whatever the priority fee is.
    function test_feeIsBoundByTheMaximumFee() public {
        _grant(_session());
        Draft memory draft = _draft(_increment());
        draft.maxPriorityFeePerGas = 1;
        draft.maxFeePerGas = 10 gwei;
        uint256 fee = uint256(600_000 + 1_000_000 + 50_000) * 10 gwei;
        _expectRefusal(draft, abi.encodeWithSelector(Validation.FeeTooHigh.selector, fee, 0.01 ether));
    }

    /// @dev The upper 96 bits of a key count, for both kinds of keys.
    function test_keysAreCompared_inFull() public {
        bytes32[2] memory keys = [_key(), _p256Key()];
        uint256[2] memory signingKeys = [SESSION_KEY, P256_KEY];
        for (uint256 i; i < 2; ++i) {
            bytes32 other = bytes32(uint256(keys[i]) ^ (1 << 160));
            _grant(account, other, _session());
            _grant(account, keys[i], _session());
            Draft memory draft = _draftOf(account, signingKeys[i], _increment());
            _expectAccepted(draft);
            draft.key = other;
            draft.nonceKey = sessionKeys.sessionOf(account, other).nonceKey;
            draft.sequence = 0;
            _expectRefusal(draft, abi.encodeWithSelector(Validation.NotSignedByKey.selector));
        }
    }

    /// @dev Every length at which the signature can be cut.
    function test_signatureCutAtEachLength() public {
        _grant(_session());
        Draft memory draft = _draft(_increment());
        draft.paymasterAndData = "";
        bytes memory data = _dataOf(_unsigned(draft));
        bytes memory signature = _sessionSignature(draft, keccak256(data));
        uint256 partsEnd = 132 + 4 + _encodeCalls(draft).length + 4;
        for (uint256 length = signature.length - 1; length != type(uint256).max;) {
            assembly ("memory-safe") {
                mstore(signature, length)
            }
            bytes4 refusal = length >= partsEnd
                ? Validation.NotSignedByKey.selector
                : SessionSignature.MalformedSessionSignature.selector;
            vm.prank(account);
            vm.expectRevert(abi.encodeWithSelector(refusal));
            sessionKeys.isValidSignature(data, signature);
            unchecked {
                --length;
            }
        }
    }

    /// @dev Also for a P-256 key, whose signature is longer than all others.
    function test_keySignatureWithOtherLengths() public {
        _grant(account, _p256Key(), _session());
        Draft memory draft = _draftOf(account, P256_KEY, _increment());
        bytes memory data = _dataOf(_unsigned(draft));
        bytes memory signature = _sessionSignature(draft, keccak256(data));
        uint256 partsEnd = signature.length - 128;
        uint256[7] memory lengths = [uint256(0), 63, 64, 65, 66, 127, 129];
        signature = bytes.concat(signature, hex"00");
        for (uint256 i = lengths.length; i > 0; --i) {
            uint256 length = partsEnd + lengths[i - 1];
            assembly ("memory-safe") {
                mstore(signature, length)
            }
            vm.prank(account);
            vm.expectRevert(abi.encodeWithSelector(Validation.NotSignedByKey.selector));
            sessionKeys.isValidSignature(data, signature);
        }
    }

    /// @dev Both forms of s, of several signatures: WebCrypto may return either.
    function test_lowAndHighS() public {
        _grant(account, _p256Key(), _session());
        Draft memory draft = _draftOf(account, P256_KEY, _increment());
        for (uint64 sequence; sequence < 8; ++sequence) {
            draft.sequence = sequence;
            bytes memory data = _dataOf(_unsigned(draft));
            bytes memory signature = _sessionSignature(draft, keccak256(data));
            _expectMagic(data, signature);
            _setS(signature, P256_N - _s(signature));
            _expectMagic(data, signature);
        }
    }

    function test_sOutOfRange() public {
        _grant(account, _p256Key(), _session());
        Draft memory draft = _draftOf(account, P256_KEY, _increment());
        bytes memory data = _dataOf(_unsigned(draft));
        bytes memory signature = _sessionSignature(draft, keccak256(data));
        uint256[4] memory values = [uint256(0), P256_N, P256_N + 1, type(uint256).max];
        for (uint256 i; i < values.length; ++i) {
            _setS(signature, values[i]);
            vm.prank(account);
            vm.expectRevert(abi.encodeWithSelector(Validation.NotSignedByKey.selector));
            sessionKeys.isValidSignature(data, signature);
        }
    }

    function test_greatestAddress() public {
        Session memory session = _session();
        session.rules[2] = _tokenRule(IERC20.transfer.selector, address(0));
        _grant(session);
        address greatest = address(type(uint160).max);
        _execute(_transfer(greatest, 1));
        assertEq(token.balanceOf(greatest), 1, "transferred");
        bytes memory beyond = abi.encodeWithSelector(IERC20.transfer.selector, 1 << 160, 1);
        vm.expectPartialRevert(Execution.CallNotAllowed.selector);
        _execute(_calls(address(token), 0, beyond));
    }

    function test_transferFromOfADirtyAccount() public {
        _grant(_sessionWith(_tokenRule(IERC20.transferFrom.selector, RECIPIENT)));
        vm.prank(account);
        token.approve(account, 1);
        bytes memory call = abi.encodeCall(IERC20.transferFrom, (account, RECIPIENT, 1));
        call[4] = 0x01;
        vm.expectPartialRevert(Execution.CallNotAllowed.selector);
        _execute(_calls(address(token), 0, call));
        call[4] = 0x00;
        vm.expectPartialRevert(Execution.CallNotAllowed.selector);
        _execute(_calls(address(token), 0, bytes.concat(call, hex"00")));
        _execute(_calls(address(token), 0, call));
    }

    function test_greatestAllowance() public {
        Session memory session = _session();
        session.allowances[1] = Allowance(address(token), 0, type(uint128).max);
        _grant(session);
        token.mint(account, type(uint128).max);
        _execute(_transfer(RECIPIENT, type(uint128).max - 1));
        vm.expectRevert(
            abi.encodeWithSelector(Execution.AllowanceExceeded.selector, token, uint256(1 << 128) + 1, 1)
        );
        _execute(_transfer(RECIPIENT, uint256(1 << 128) + 1));
        _execute(_transfer(RECIPIENT, 1));
        assertEq(_spent(1), type(uint128).max, "all of it");
    }

    function test_periodOfOneSecond() public {
        Session memory session = _session();
        session.allowances[1].period = 1;
        _grant(session);
        for (uint256 i; i < 3; ++i) {
            _execute(_transfer(RECIPIENT, 100e6));
            vm.expectPartialRevert(Execution.AllowanceExceeded.selector);
            _execute(_transfer(RECIPIENT, 1));
            vm.warp(block.timestamp + 1);
        }
    }

    function _expectAccepted(Draft memory draft) private view {
        bytes memory data = _dataOf(_unsigned(draft));
        _expectMagic(data, _sessionSignature(draft, keccak256(data)));
    }

    function _expectMagic(bytes memory data, bytes memory signature) private view {
        ISafeAccount(account).checkSignatures(keccak256(data), data, _inSafe(signature));
    }

    /// @dev r ‖ s ‖ x ‖ y are the last 128 bytes.
    function _s(bytes memory signature) private pure returns (uint256 s) {
        assembly ("memory-safe") {
            s := mload(add(signature, sub(mload(signature), 64)))
        }
    }

    function _setS(bytes memory signature, uint256 s) private pure {
        assembly ("memory-safe") {
            mstore(add(signature, sub(mload(signature), 64)), s)
        }
    }
}
