// SPDX-License-Identifier: MIT
// @promise 13
pragma solidity ^0.8.28;

import {PackedUserOperation} from "../../interfaces/ERC4337.sol";
import {Claims} from "../../smart-balance/Claims.sol";
import {MAX_FLAT_FEE} from "../../smart-balance/Constants.sol";
import {Debit, OrderLib} from "../../smart-balance/libraries/Order.sol";
import {PaymasterData} from "../../smart-balance/libraries/PaymasterData.sol";
import {SmartBalanceTest} from "./SmartBalanceTest.sol";

contract ValidatePaymasterUserOpTest is SmartBalanceTest {
    function test_default() public {
        Draft memory draft = _draft();
        (bytes memory context, uint256 validationData) = _validate(_build(draft));
        assertEq(validationData, _validity(draft.validUntil), "validationData");
        bytes32 orderHash = _orderHash(draft, _buildUnsigned(draft));
        assertEq(context, abi.encode(orderHash, account, draft.nonce, draft.claimAmount), "context");
    }

    function test_behavior_thirdPartysOperatorSignature() public {
        Draft memory draft = _draft();
        draft.operatorKey = THIRD_PARTY_KEY;
        _expectSignatureFailed(_build(draft));
    }

    function test_behavior_thirdPartysUserSignature() public {
        PackedUserOperation memory op = _build(_draft());
        op.signature = _signAsOwner(op, THIRD_PARTY_KEY);
        _expectSignatureFailed(op);
    }

    function test_behavior_shortSignature() public {
        PackedUserOperation memory op = _build(_draft());
        op.signature = hex"0011";
        _expectSignatureFailed(op);
        op.signature = new bytes(11);
        _expectSignatureFailed(op);
    }

    /// @dev No debits and no loan: session keys and accounts without pins may use it.
    function test_behavior_sponsorship() public {
        Draft memory draft = _sponsorship();
        PackedUserOperation memory op = _build(draft);
        op.signature = _signAsOwner(op, THIRD_PARTY_KEY);
        (bytes memory context, uint256 validationData) = _validate(op);
        assertEq(context.length, 0, "no postOp");
        assertEq(validationData, uint256(draft.validUntil) << 160, "valid, without validAfter");
    }

    /// @dev An order with a loan or debits is not a sponsorship: the user signs, and there is a postOp.
    function test_behavior_notASponsorship() public {
        Draft memory lent = _sponsorship();
        lent.claimAmount = 1;
        Draft memory owing = _draft();
        owing.claimAmount = 0;
        owing.debits[0] = Debit(A, 1, 0);
        for (uint256 i; i < 2; ++i) {
            PackedUserOperation memory op = _build(i == 0 ? lent : owing);
            (bytes memory context,) = _validate(op);
            assertTrue(context.length != 0, "postOp");
            op.signature = _signAsOwner(op, THIRD_PARTY_KEY);
            _expectSignatureFailed(op);
        }
    }

    function test_behavior_sponsorshipNeedsTheOperator() public {
        Draft memory draft = _sponsorship();
        draft.operatorKey = THIRD_PARTY_KEY;
        _expectSignatureFailed(_build(draft));
    }

    /// @dev A signature that recovers to address 0, while the owner has made address 0 an operator by mistake.
    function test_behavior_brokenOperatorSignature() public {
        vm.prank(ADMIN);
        smartBalance.setOperator(address(0), true);
        PackedUserOperation memory op = _buildUnsigned(_draft());
        uint256 length = op.paymasterAndData.length;
        for (uint256 i = length - 65; i < length; ++i) {
            op.paymasterAndData[i] = 0;
        }
        op.signature = _signAsOwner(op, OWNER_KEY);
        _expectSignatureFailed(op);
    }

    function test_error_NotEntryPoint() public {
        PackedUserOperation memory op = _build(_draft());
        vm.expectRevert(abi.encodeWithSelector(Claims.NotEntryPoint.selector, address(this)));
        smartBalance.validatePaymasterUserOp(op, 0, 0);
    }

    function test_error_OrdersPaused() public {
        vm.prank(ADMIN);
        smartBalance.setPaused(true);
        _expectRevert(_build(_draft()), Claims.OrdersPaused.selector);
    }

    function test_error_DebitOnOutputNetwork() public {
        Draft memory draft = _draft();
        draft.debits[0].chainId = O;
        _expectRevert(_build(draft), Claims.DebitOnOutputNetwork.selector);
    }

    function test_error_PostOpGasTooLow() public {
        PackedUserOperation memory op = _build(_draft());
        // The lower three bytes of paymasterPostOpGasLimit: 100,000 becomes 34,464.
        op.paymasterAndData[49] = 0;
        _expectRevert(op, Claims.PostOpGasTooLow.selector);
    }

    function test_behavior_minimumPostOpGas() public {
        PackedUserOperation memory op = _build(_draft());
        // The lower three bytes of paymasterPostOpGasLimit become 120,000. The operator has signed another limit.
        op.paymasterAndData[49] = 0x01;
        op.paymasterAndData[50] = 0xd4;
        op.paymasterAndData[51] = 0xc0;
        vm.prank(address(entryPoint));
        smartBalance.validatePaymasterUserOp(op, 0, 0);
        op.paymasterAndData[51] = 0xbf;
        _expectRevert(op, Claims.PostOpGasTooLow.selector);
    }

    /// @dev The operator's signature covers both debits as they are decoded.
    function test_behavior_twoDebits() public {
        Draft memory draft = _twoDebits(A, B);
        (, uint256 validationData) = _validate(_build(draft));
        assertEq(validationData, _validity(draft.validUntil), "valid");
    }

    function test_behavior_manyDebits() public {
        Draft memory draft = _draft();
        draft.debits = new Debit[](31);
        for (uint64 i; i < 31; ++i) {
            draft.debits[i] = Debit(A + i, 1e6, 0);
        }
        (, uint256 validationData) = _validate(_build(draft));
        assertEq(validationData, _validity(draft.validUntil), "valid");
    }

    function test_error_DebitsNotAscending() public {
        Draft memory draft = _twoDebits(B, A);
        _expectRevert(_build(draft), OrderLib.DebitsNotAscending.selector);
    }

    function test_error_DebitsNotAscending_twice() public {
        Draft memory draft = _twoDebits(A, A);
        _expectRevert(_build(draft), OrderLib.DebitsNotAscending.selector);
    }

    function test_error_FailFeeAboveAmount() public {
        Draft memory draft = _draft();
        draft.debits[0] = Debit(A, 1e6, 1e6 + 1);
        _expectRevert(_build(draft), OrderLib.FailFeeAboveAmount.selector);
    }

    function test_error_DebitsTooHigh() public {
        Draft memory draft = _draft();
        draft.debits[0].amount = 101e6 + MAX_FLAT_FEE;
        (, uint256 validationData) = _validate(_build(draft));
        assertEq(validationData, _validity(draft.validUntil), "the highest passes");
        draft.debits[0].amount += 1;
        _expectRevert(_build(draft), OrderLib.DebitsTooHigh.selector);
    }

    function test_error_FailFeesTooHigh() public {
        Draft memory draft = _draft();
        draft.debits[0] = Debit(A, 101e6, uint64(MAX_FLAT_FEE));
        (, uint256 validationData) = _validate(_build(draft));
        assertEq(validationData, _validity(draft.validUntil), "the highest passes");
        draft.debits[0].failFee += 1;
        _expectRevert(_build(draft), OrderLib.FailFeesTooHigh.selector);
    }

    /// @dev Every shorter and longer data, every other version and signer tag.
    function testFuzz_error_MalformedPaymasterData(uint256 seed) public {
        PackedUserOperation memory op = _build(_draft());
        bytes memory data = op.paymasterAndData;
        uint256 kind = seed % 5;
        seed >>= 8;
        if (kind == 0) _truncate(data, 52 + seed % (data.length - 52));
        if (kind == 1) op.paymasterAndData = bytes.concat(data, hex"00");
        if (kind == 2) data[52] = bytes1(uint8(2 + seed % 254));
        if (kind == 3) data[76 + 32] = bytes1(uint8(1 + seed % 255));
        if (kind == 4) for (uint256 i = 69; i < 75; ++i) {
            data[i] = 0;
        }
        _expectRevert(op, PaymasterData.MalformedPaymasterData.selector);
    }

    function test_error_MalformedPaymasterData_otherLength() public {
        PackedUserOperation memory op = _build(_draft());
        op.paymasterAndData = bytes.concat(op.paymasterAndData, hex"00");
        _expectRevert(op, PaymasterData.MalformedPaymasterData.selector);
        op = _build(_draft());
        _truncate(op.paymasterAndData, op.paymasterAndData.length - 1);
        _expectRevert(op, PaymasterData.MalformedPaymasterData.selector);
    }

    /// @dev Cut before the version, before the debits, and before the signer.
    function test_error_MalformedPaymasterData_cutShort() public {
        uint8[3] memory lengths = [52, 76, 76 + 32];
        for (uint256 i; i < lengths.length; ++i) {
            PackedUserOperation memory op = _build(_draft());
            _truncate(op.paymasterAndData, lengths[i]);
            _expectRevert(op, PaymasterData.MalformedPaymasterData.selector);
        }
    }

    /// @dev An unknown tag, in data whose length is right for an owner and for a passkey.
    function test_error_MalformedPaymasterData_signerTag() public {
        uint8[2] memory tags = [2, 255];
        for (uint256 i; i < tags.length; ++i) {
            Draft memory draft = _draft();
            draft.signer = abi.encodePacked(tags[i], new bytes(20));
            _expectRevert(_build(draft), PaymasterData.MalformedPaymasterData.selector);
            draft.signer = abi.encodePacked(tags[i], new bytes(32 + 32 + 22));
            _expectRevert(_build(draft), PaymasterData.MalformedPaymasterData.selector);
        }
    }

    /// @dev No signer at all: the operator's signature begins with a byte that is not a tag.
    function test_error_MalformedPaymasterData_noSigner() public {
        Draft memory draft = _draft();
        draft.signer = hex"02";
        PackedUserOperation memory op = _build(draft);
        _truncate(op.paymasterAndData, op.paymasterAndData.length - 1);
        _expectRevert(op, PaymasterData.MalformedPaymasterData.selector);
    }

    function _sponsorship() private view returns (Draft memory draft) {
        draft = _draft();
        draft.claimAmount = 0;
        draft.debits = new Debit[](0);
    }

    function _twoDebits(uint64 first, uint64 second) private view returns (Draft memory draft) {
        draft = _draft();
        draft.debits = new Debit[](2);
        draft.debits[0] = Debit(first, 1e6, 0);
        draft.debits[1] = Debit(second, 1e6, 0);
    }

    function _truncate(bytes memory data, uint256 length) private pure {
        assembly ("memory-safe") {
            mstore(data, length)
        }
    }

    function _validate(PackedUserOperation memory op) private returns (bytes memory, uint256) {
        vm.prank(address(entryPoint));
        return smartBalance.validatePaymasterUserOp(op, 0, 0);
    }

    /// @dev The low bit; the validity is returned nevertheless, for estimates.
    function _expectSignatureFailed(PackedUserOperation memory op) private {
        (, uint256 validationData) = _validate(op);
        assertEq(uint160(validationData), 1, "SIG_VALIDATION_FAILED");
        assertTrue(validationData >> 160 != 0, "validUntil");
    }

    function _expectRevert(PackedUserOperation memory op, bytes4 selector) private {
        vm.prank(address(entryPoint));
        vm.expectPartialRevert(selector);
        smartBalance.validatePaymasterUserOp(op, 0, 0);
    }

    /// @dev validAfter, then validUntil.
    function _validity(uint256 validUntil) private pure returns (uint256) {
        return (validUntil - 10 minutes) << 208 | validUntil << 160;
    }
}
