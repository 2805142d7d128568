// SPDX-License-Identifier: MIT
// @promise 13
pragma solidity ^0.8.28;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {PackedUserOperation} from "../../interfaces/ERC4337.sol";
import {ISafe4337Module} from "../../interfaces/ISafe.sol";
import {TokenCall} from "../../session-keys/libraries/TokenCall.sol";
import {Call} from "../../session-keys/Session.sol";
import {Counter} from "../mocks/Targets.sol";
import {SessionKeysTest} from "./SessionKeysTest.sol";

/// @dev Attack 3 on encodings. The contract's parsing is compared with abi.decode, over nearly correct calldata: dirty
/// and overlapping offsets, wrong lengths, trailing and missing bytes.
contract CallDataTest is SessionKeysTest {
    function setUp() public override {
        super.setUp();
        _grant(_session());
    }

    /// @dev If validation accepts calldata, the module decodes it to exactly one call of `execute` of this session.
    function testFuzz_attack3_acceptedOperations(uint256 seed, uint8 changes) public view {
        Draft memory draft = _draft(_increment());
        bytes memory callData = _mutate(_callDataOf(draft), seed, changes % 4);
        PackedUserOperation memory op = _unsigned(draft);
        op.callData = callData;
        // The signature contains the calls as the mutated calldata has them.
        bytes memory signature = _signatureOver(op, draft, _slice(callData, 4 + 5 * 32 + 4 + 32));
        (bool accepted,) = account.staticcall(
            abi.encodeWithSignature(
                "checkSignatures(bytes32,bytes,bytes)",
                keccak256(_dataOf(op)),
                _dataOf(op),
                _inSafe(signature)
            )
        );
        if (!accepted) return;
        (address to, uint256 value, bytes memory data, uint8 operation) =
            abi.decode(_slice(callData, 4), (address, uint256, bytes, uint8));
        assertTrue(
            bytes4(callData) == ISafe4337Module.executeUserOpWithErrorString.selector, "the module's function"
        );
        assertTrue(
            to == address(sessionKeys) && value == 0 && operation == 0, "a call without value to the contract"
        );
        assertTrue(bytes4(data) == sessionKeys.execute.selector, "of execute");
        assertTrue(bytes32(_slice(data, 4)) == draft.key, "for this key");
    }

    /// @dev Execution decodes its calldata as abi.decode does, and never allows more than the rules.
    function testFuzz_attack3_executedCalls(uint256 seed, uint8 changes, uint256[2] calldata amounts) public {
        Call[] memory calls = new Call[](3);
        calls[0] = _transfer(RECIPIENT, bound(amounts[0], 0, 60e6))[0];
        calls[1] = _approve(SPENDER, bound(amounts[1], 0, 60e6))[0];
        calls[2] = _increment()[0];
        bytes memory data = abi.encodeCall(sessionKeys.execute, (_key(), calls));
        data = _mutate(data, seed, changes % 4);
        vm.prank(account);
        (bool executed,) = address(sessionKeys).call(data);
        uint256 moved = token.balanceOf(RECIPIENT);
        if (!executed) {
            assertEq(moved + counter.count() + token.allowance(account, SPENDER), 0, "nothing happened");
            return;
        }
        (bytes32 key, Call[] memory decoded) = abi.decode(_slice(data, 4), (bytes32, Call[]));
        assertTrue(key == _key() && decoded.length > 0, "decodes");
        (uint256 transferred, uint256 approved, uint256 counted) = _expected(decoded);
        assertEq(moved, transferred, "transferred as decoded");
        assertEq(_spent(1), transferred + approved, "spent as decoded");
        assertEq(token.allowance(account, SPENDER), 0, "no approval remains");
        assertEq(counter.count(), counted, "counted as decoded");
        assertEq(token.balanceOf(account), 1_000e6 - transferred, "to no one else");
        assertTrue(_spent(1) <= 100e6, "within the allowance");
    }

    /// @dev The parser of token calls is stricter than abi.decode, and agrees with it.
    function testFuzz_attack3_tokenCalls(uint256 seed, uint8 changes, address to, uint256 amount, uint8 kind)
        public
        view
    {
        bytes memory canonical = _tokenCall(kind % 3, to, amount);
        (bool valid, address counterparty, uint256 parsed) = this.parse(canonical);
        assertTrue(valid && counterparty == to && parsed == amount, "canonical");

        bytes memory mutated = _mutate(canonical, seed, changes % 4);
        (valid, counterparty, parsed) = this.parse(mutated);
        if (!valid) return;
        assertEq(mutated, _tokenCall(_kindOf(bytes4(mutated)), counterparty, parsed), "re-encodes to itself");
    }

    function parse(bytes calldata data) external view returns (bool, address, uint256) {
        return TokenCall.parse(account, data);
    }

    function _tokenCall(uint8 kind, address to, uint256 amount) private view returns (bytes memory) {
        if (kind == 0) return abi.encodeCall(IERC20.transfer, (to, amount));
        if (kind == 1) return abi.encodeCall(IERC20.approve, (to, amount));
        return abi.encodeCall(IERC20.transferFrom, (account, to, amount));
    }

    function _kindOf(bytes4 selector) private pure returns (uint8) {
        if (selector == IERC20.transfer.selector) return 0;
        return selector == IERC20.approve.selector ? 1 : 2;
    }

    /// @dev A model of the default session, computed from decoded calls.
    function _expected(Call[] memory calls)
        private
        view
        returns (uint256 transferred, uint256 approved, uint256 counted)
    {
        for (uint256 i; i < calls.length; ++i) {
            Call memory call = calls[i];
            if (call.to == address(counter)) {
                assertTrue(bytes4(call.data) == Counter.increment.selector && call.value == 0, "increment");
                ++counted;
            } else if (call.to == RECIPIENT) {
                assertTrue(call.data.length == 0 && call.value <= 0.6 ether, "payment");
            } else {
                assertTrue(call.to == address(token) && call.value == 0 && call.data.length == 68, "token");
                (address named, uint256 amount) = abi.decode(_slice(call.data, 4), (address, uint256));
                bool isTransfer = bytes4(call.data) == IERC20.transfer.selector;
                assertTrue(isTransfer || bytes4(call.data) == IERC20.approve.selector, "function");
                assertTrue(named == (isTransfer ? RECIPIENT : SPENDER), "counterparty");
                if (isTransfer) transferred += amount;
                else approved += amount;
            }
        }
    }

    /// @dev Changes words to values that confuse decoders, bytes to anything, and the length.
    function _mutate(bytes memory original, uint256 seed, uint8 changes)
        private
        pure
        returns (bytes memory data)
    {
        data = bytes.concat(original);
        for (uint256 i; i < changes; ++i) {
            seed = uint256(keccak256(abi.encode(seed)));
            uint256 words = (data.length - 4) / 32;
            if (words == 0) return data;
            uint256 at = 36 + (seed >> 16) % words * 32;
            uint256 kind = seed % 6;
            uint256 word;
            assembly ("memory-safe") {
                word := mload(add(data, at))
            }
            unchecked {
                if (kind == 0) word = word + 32;
                if (kind == 1) word = word - 32;
            }
            if (kind == 2) word ^= 1 << ((seed >> 32) % 256);
            if (kind == 3) word = (seed >> 40) % 12 * 32;
            if (kind < 4) {
                assembly ("memory-safe") {
                    mstore(add(data, at), word)
                }
            }
            if (kind == 4) data = bytes.concat(data, new bytes(1 + (seed >> 40) % 40));
            if (kind == 5 && data.length > 36) data = _truncate(data, data.length - (seed >> 40) % 33);
        }
    }

    function _truncate(bytes memory data, uint256 length) private pure returns (bytes memory shorter) {
        shorter = bytes.concat(data);
        if (length < 4) length = 4;
        assembly ("memory-safe") {
            if lt(length, mload(shorter)) { mstore(shorter, length) }
        }
    }

    function _slice(bytes memory data, uint256 from) private pure returns (bytes memory part) {
        if (data.length <= from) return "";
        part = new bytes(data.length - from);
        for (uint256 i; i < part.length; ++i) {
            part[i] = data[from + i];
        }
    }

    function _signatureOver(PackedUserOperation memory op, Draft memory draft, bytes memory tail)
        private
        view
        returns (bytes memory)
    {
        // Without the padding that the outer encoding adds after execute's selector of 4 bytes.
        if (tail.length >= 28) tail = _truncate(tail, tail.length - 28);
        bytes memory head = _truncate(_sessionSignature(draft, 0), 132);
        return bytes.concat(
            head,
            abi.encodePacked(uint32(tail.length), tail, uint32(0)),
            _keySignature(draft.signingKey, keccak256(_dataOf(op)))
        );
    }
}
