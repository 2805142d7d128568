// SPDX-License-Identifier: MIT
// @promise 13
pragma solidity ^0.8.28;

import {PackedUserOperation} from "../../interfaces/ERC4337.sol";
import {Outcome} from "../../interfaces/IOutcomeVerifier.sol";
import {Settling} from "../../smart-balance/Settlement.sol";
import {SmartBalanceTest} from "./SmartBalanceTest.sol";

/// @dev SafeOp against the real module, with a different value in each field that is packed with another.
contract SafeOpTest is SmartBalanceTest {
    function test_everyFieldHasItsPlace() public {
        accountGasLimits = _pack(600_001, 1_000_002);
        _on(A);
        _depositAndPin(500e6);
        _on(O);
        Draft memory draft = _draft();
        PackedUserOperation memory op = _buildUnsigned(draft);
        op.gasFees = _pack(1 gwei, 3 gwei);
        op.preVerificationGas = 50_003;
        // The operator signs again: the order contains these fields.
        bytes memory data = op.paymasterAndData;
        bytes32 orderHash = _orderHash(draft, op);
        bytes memory signature = _sign(OPERATOR_KEY, orderHash);
        for (uint256 i; i < 65; ++i) {
            data[data.length - 65 + i] = signature[i];
        }
        op.signature = abi.encodePacked(uint48(7), uint48(block.timestamp + 5 minutes));
        op.signature = bytes.concat(op.signature, _sign(OWNER_KEY, module.getOperationHash(op)));
        _handle(op);
        assertTrue(_outcome(account, 0) == Outcome.Claimed, "the output network accepts it");
        bytes memory proof = _attest(orderHash, Outcome.Claimed);
        _on(A);
        assertEq(_settle(Settling(O, _signed(op), Outcome.Claimed, proof)), 101e6, "and the source");
    }
}
